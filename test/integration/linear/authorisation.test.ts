import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { never } from '../../contracts/tracker-fixture.ts';
import { rememberFollowUps } from '../../fakes/follow-ups.ts';
import { createLinearFixture, type LinearFixture } from '../../fakes/linear/fixture.ts';
import { TEAM } from '../../fakes/linear/store.ts';
import { hostileRequests, legitimateRequests, type RequestValues } from './requests.ts';

let fixture: LinearFixture;
let issue: Issue;
let values: RequestValues;

async function open(): Promise<void> {
  fixture = await createLinearFixture([
    { key: 'A', state: 'In Progress', title: 'Mine' },
    { key: 'B', state: 'In Progress', title: 'Theirs' },
  ]);
  const { store } = fixture.fake;
  const outcome = (await fixture.tracker.fetchIssuesByIds([fixture.idOf('A')], never)).get(fixture.idOf('A'));
  if (outcome?.kind !== 'current') throw new Error('the issue cannot be read');
  ({ issue } = outcome);
  const other = store.issue(fixture.idOf('B'));
  values = {
    id: issue.id,
    identifier: issue.identifier,
    otherId: other.id,
    otherIdentifier: store.identifierOf(other),
    teamId: TEAM.id,
    projectId: String(issue.nativeRef?.['project_id']),
    todo: store.stateNamed('Todo').id,
    progress: store.stateNamed('In Progress').id,
    review: store.stateNamed('Human Review').id,
    backlog: store.stateNamed('Backlog').id,
    done: store.stateNamed('Done').id,
    ownComment: store.addComment(issue.id, 'by the worker').id,
    personComment: store.addComment(issue.id, 'by a person', store.users[1]?.id ?? null).id,
    otherComment: store.addComment(other.id, 'on another issue').id,
  };
}

const followUps = rememberFollowUps();

function call(input: unknown): Promise<ToolResult> {
  return fixture.tracker.tools.execute(
    { name: 'linear_graphql', arguments: input },
    { issue, signal: never, followUps },
  );
}

/** Everything an agent could have changed. */
function contents(): string {
  const { issues, comments, attachments } = fixture.fake.store;
  return JSON.stringify([[...issues.values()], comments, attachments]);
}

describe('hostile requests', () => {
  beforeAll(open);
  afterAll(() => fixture.dispose());

  it('are many, and each is refused with a reason; nothing of them reaches Linear', async () => {
    const before = contents();
    const requests = hostileRequests(values);
    expect(requests.length).toBeGreaterThanOrEqual(150);
    expect(new Set(requests.map(([name]) => name)).size).toBe(requests.length);
    const passed: string[] = [];
    for (const [name, input] of requests) {
      fixture.fake.requests.length = 0;
      const result = await call(input);
      const sent = fixture.fake.requests.filter(
        ({ operation }) => !/^(OwnState|CommentOwner)$/.test(operation),
      );
      if (result.success || sent.length > 0) passed.push(name);
      else expect(result.error.message, name).toMatch(/\w+ \w+/);
    }
    expect(passed).toEqual([]);
    expect(contents()).toBe(before);
  });

  it('do not pass when written in another way: comments, commas, line ends, a mark at the start', async () => {
    const passed: string[] = [];
    let tried = 0;
    for (const [name, input] of hostileRequests(values)) {
      const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : null;
      if (typeof query !== 'string' || query.trim() === '') continue;
      for (const disguised of [
        query.replaceAll(' ', ' ,\r\n'),
        `\uFEFF# { viewer { id } }\n${query}`,
        query.replaceAll('{ ', '{ __typename '),
      ]) {
        tried += 1;
        const result = await call({ ...(input as object), query: disguised });
        if (result.success) passed.push(name);
      }
    }
    expect(tried).toBeGreaterThan(300);
    expect(passed).toEqual([]);
  });
});

describe('legitimate requests', () => {
  beforeEach(open);

  it('all pass', async () => {
    const requests = legitimateRequests(values);
    expect(requests.length).toBeGreaterThanOrEqual(25);
    for (const [name, input] of requests) {
      const result = await call(input);
      expect(result, name).toMatchObject({ success: true, output: { data: expect.anything() } });
    }
    await fixture.dispose();
  });
});
