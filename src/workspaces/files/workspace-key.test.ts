import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alternativeKey, RESERVED_NAME, workspaceKey } from './workspace-key.ts';

/** Identifiers with a liking for what breaks paths. */
const hostile = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '~', ' ', '\0', 'a', 'A', '-', '_', 'é', '\n'),
    minLength: 1,
    maxLength: 12,
  }),
  fc.string({ unit: fc.constantFrom('.', 'a', 'x'), minLength: 100, maxLength: 600 }),
  fc.constantFrom('.aiops', '.AIOPS', '..', '.git', '../..', '/etc/passwd', 'con', 'a/../../b'),
);
const named = hostile.filter((identifier) => identifier !== '.' && identifier !== '..');

describe('workspace keys', () => {
  test.each([
    ['ABC-123', 'ABC-123'],
    ['team_a-1', 'team_a-1'],
    ['team/a-1', 'team_a-1--7c03d5a56ca4204b'],
    ['MT/Det', 'MT_Det--b45ad8f201f2d40b'],
    ['owner/repo#12', 'owner_repo_12--d6c5c2fea15ac813'],
  ])('%s becomes %s (R-4.2-d, R-4.2-e, R-4.2-f, R-9.5-c, R-17.2-k)', (identifier, key) => {
    expect(workspaceKey(identifier)).toBe(key);
  });

  test.each(['', '.', '..'])('%j is refused', (identifier) => {
    expect(() => workspaceKey(identifier)).toThrow(
      expect.objectContaining({ code: 'invalid_workspace_cwd' }),
    );
  });

  test('a key is one safe path component, never the worker’s own, whatever the identifier (R-9.5-c, R-15.2-c)', () => {
    fc.assert(
      fc.property(named, (identifier) => {
        for (const key of [
          workspaceKey(identifier),
          alternativeKey(identifier, ['linear', 'x', identifier]),
        ]) {
          expect(key).toMatch(/^[A-Za-z0-9._-]{1,120}$/);
          expect(['.', '..']).not.toContain(key);
          expect(key.toLowerCase()).not.toBe(RESERVED_NAME);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('two identifiers never share a key (R-17.2-k, R-18.1-g)', () => {
    fc.assert(
      fc.property(named, named, (a, b) => {
        fc.pre(a !== b);
        expect(workspaceKey(a)).not.toBe(workspaceKey(b));
      }),
      { numRuns: 1_000 },
    );
  });

  test('very long identifiers with a common beginning stay apart', () => {
    const long = 'x'.repeat(5_000);
    expect(workspaceKey(`${long}1`)).not.toBe(workspaceKey(`${long}2`));
  });

  test('another owner of the same identifier gets another key', () => {
    expect(alternativeKey('ENG-1', ['linear', 'a', '1'])).not.toBe(
      alternativeKey('ENG-1', ['linear', 'b', '1']),
    );
    expect(alternativeKey('ENG-1', ['linear', 'a', '1'])).not.toBe('ENG-1');
  });
});
