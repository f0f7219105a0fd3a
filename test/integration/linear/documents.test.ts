import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as documents from '../../../src/trackers/linear/documents.ts';
import { complexityOf } from '../../fakes/linear/complexity.ts';
import { LINEAR_SCHEMA } from '../../fakes/linear/server.ts';

describe.each(Object.entries(documents))('%s', (_name, text) => {
  it("is valid by Linear's published schema", () => {
    expect(validate(LINEAR_SCHEMA, parse(text))).toEqual([]);
  });

  it('costs less than Linear allows for one request', () => {
    const points = complexityOf(LINEAR_SCHEMA, parse(text));
    expect(points).toBeGreaterThan(0);
    expect(points).toBeLessThan(5_000);
  });
});

it('finds a document with a field that Linear does not have', () => {
  const broken = documents.LIST_ISSUES.replace('branchName', 'branch');
  expect(validate(LINEAR_SCHEMA, parse(broken)).map((error) => error.message)).toEqual([
    expect.stringContaining('Cannot query field "branch" on type "Issue"'),
  ]);
});
