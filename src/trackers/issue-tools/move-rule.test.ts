import { describe, expect, it } from 'vitest';
import { assertUnfinished, chooseState, type MoveRule } from './move-rule.ts';

const RULE: MoveRule = {
  active: ['Todo', 'In Progress'],
  terminal: ['Done', 'Cancelled'],
  inactive: ['Backlog', 'Human Review'],
  allowTerminal: true,
};
const STRICT: MoveRule = { ...RULE, allowTerminal: false };
const KNOWN = [...RULE.active, ...RULE.inactive, ...RULE.terminal, 'Parked'];

function choose(rule: MoveRule, from: string, wanted: string, closed = false): string {
  try {
    return chooseState(rule, wanted, { state: from, closed }, KNOWN);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('chooseState', () => {
  it.each([
    [RULE, 'In Progress', 'human review', 'Human Review'],
    [RULE, 'In Progress', 'Done', 'Done'],
    [RULE, 'In Progress', 'Finished', 'unknown_state'],
    [RULE, 'Backlog', 'Human Review', 'Human Review'],
    [RULE, 'Parked', 'Done', 'Done'],
    [RULE, 'Backlog', 'Todo', 'issue_on_hold'],
    [RULE, 'Parked', 'In Progress', 'issue_on_hold'],
    [RULE, 'Done', 'done', 'Done'],
    [RULE, 'Done', 'Cancelled', 'issue_closed'],
    [RULE, 'Cancelled', 'Todo', 'issue_closed'],
    [STRICT, 'In Progress', 'Human Review', 'Human Review'],
    [STRICT, 'In Progress', 'Done', 'terminal_not_allowed'],
    [STRICT, 'Done', 'Done', 'terminal_not_allowed'],
    [STRICT, 'Done', 'Todo', 'issue_closed'],
  ])('%#: from %s', (rule, from, wanted, result) => {
    expect(choose(rule, from, wanted)).toBe(result);
  });

  it('leaves an issue alone that the tracker holds for finished, whatever its state is called', () => {
    expect(choose(RULE, 'In Progress', 'Human Review', true)).toBe('issue_closed');
    expect(choose(RULE, 'In Progress', 'in progress', true)).toBe('In Progress');
  });
});

describe('assertUnfinished', () => {
  it.each(['Todo', 'Backlog', 'Parked'])('lets %s be changed', (state) => {
    expect(() => assertUnfinished(RULE, { state })).not.toThrow();
  });

  it.each([{ state: 'Done' }, { state: ' done ' }, { state: 'Todo', closed: true }])(
    'refuses %j',
    (present) => {
      expect(() => assertUnfinished(RULE, present)).toThrow('which is final');
    },
  );
});
