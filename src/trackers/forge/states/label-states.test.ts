import { describe, expect, it } from 'vitest';
import { DEFAULT_STATE_LABELS, giteaStates, parseStateLabels } from '../../gitea/states.ts';
import { githubStates } from '../../github/states.ts';
import { isNotStarted } from '../../not-started.ts';
import { planQueries } from '../reading/list-query.ts';
import { priorityOf } from '../reading/priority.ts';

const TERMINAL = ['Closed', 'Done'];
const github = githubStates({
  activeStates: ['Todo', 'rework'],
  terminalStates: TERMINAL,
  inactiveStates: ['review'],
});
const gitea = giteaStates({
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Closed', 'Done', 'Canceled'],
  inactiveStates: ['Human Review'],
  labels: DEFAULT_STATE_LABELS,
});

describe('on GitHub', () => {
  it.each([
    [false, [], 'open', null],
    [false, ['bug'], 'open', null],
    [false, ['todo'], 'todo', null],
    [false, ['REVIEW', 'x'], 'REVIEW', null],
    [false, ['review', 'todo'], 'todo', 'conflicting_state_labels'],
    [false, ['done', 'review'], 'done', 'conflicting_state_labels'],
    [true, [], 'Closed', null],
    [true, ['todo'], 'Closed', null],
    [true, ['todo', 'done'], 'done', null],
  ] as const)('closed %j with %j is %s', (closed, labels, state, problem) => {
    expect(github.read({ closed, labels })).toMatchObject({ state, problem });
  });

  it('lists as few times as it can', () => {
    expect(planQueries(['todo', 'REWORK', 'Todo'], github)).toEqual([
      { label: 'Todo', state: 'open' },
      { label: 'rework', state: 'open' },
    ]);
    expect(planQueries(['Closed', 'done'], github)).toEqual([
      { label: null, state: 'closed' },
      { label: 'Done', state: 'all' },
    ]);
    expect(planQueries(['open', 'todo'], github)).toEqual([{ label: null, state: 'open' }]);
    expect(planQueries(['nothing'], github)).toEqual([]);
    const all = githubStates({ activeStates: ['all'], terminalStates: ['done'], inactiveStates: [] });
    expect(planQueries(['all'], all)).toEqual([{ label: null, state: 'all' }]);
    expect(all.read({ closed: false, labels: [] }).state).toBe('all');
  });
});

describe('on Gitea', () => {
  it.each([
    [false, ['aiops/todo'], 'Todo', null],
    [false, ['aiops/todo', 'aiops/rework'], 'Rework', 'conflicting_state_labels'],
    [false, ['aiops/tdoo'], null, 'unknown_state_label'],
    [false, ['bug'], null, 'missing_state_label'],
    [true, ['aiops/todo'], 'Closed', null],
    [true, ['aiops/canceled'], 'Canceled', null],
    [true, [], 'Closed', null],
  ] as const)('closed %j with %j is %s', (closed, labels, state, problem) => {
    expect(gitea.read({ closed, labels })).toMatchObject({ state, problem });
  });

  it('takes a table of the workflow', () => {
    expect(parseStateLabels({ ready: 'Todo', 'status: done': 'Done' })).toEqual([
      { label: 'ready', state: 'Todo' },
      { label: 'status: done', state: 'Done' },
    ]);
    expect(parseStateLabels(undefined)).toBe(DEFAULT_STATE_LABELS);
  });

  it.each([{}, [], 'x', { a: 1 }, { a: '' }, { a: 'Todo', b: 'todo' }, { a: 'Todo', A: 'Done' }])(
    'refuses the table %j',
    (table) => {
      expect(() => parseStateLabels(table)).toThrow(/state_labels/);
    },
  );

  it('refuses active states that no label stands for', () => {
    const options = { activeStates: ['Ready'], terminalStates: ['Done'], inactiveStates: [] };
    expect(() => giteaStates({ ...options, labels: DEFAULT_STATE_LABELS })).toThrow(/active_states/);
  });
});

it.each([
  [['priority: high'], 2],
  [['prio/1', 'P3'], 1],
  [['P0'], 1],
  [['priority-low'], 4],
  [['Priority: P2'], 2],
  [['urgent'], null],
  [['p12'], null],
  [['priority: soon'], null],
  [[], null],
])('labels %j are priority %j', (labels, expected) => {
  expect(priorityOf(labels)).toBe(expected);
});

it('knows the states in which work has not begun', () => {
  expect(isNotStarted('status/todo', ['status/todo', 'doing'])).toBe(true);
  expect(isNotStarted('doing', ['status/todo', 'doing'])).toBe(false);
  expect(isNotStarted('ai-go', ['ai-go', 'ai-again'])).toBe(true);
  expect(isNotStarted('ai-again', ['ai-go', 'ai-again'])).toBe(false);
});
