import { describe, expect, it } from 'vitest';
import { isNotStarted } from '../not-started.ts';
import { allStates, knownState, localStates } from './states.ts';

describe('states in which blockers hold an issue back', () => {
  it.each([
    ['Todo', ['Todo', 'In Progress'], true],
    ['in progress', ['Todo', 'In Progress'], false],
    ['Rework', ['In Progress', 'Todo', 'Rework'], false],
    ['TODO ', ['In Progress', 'Todo'], true],
    ['team:todo', ['team:todo', 'team:doing'], true],
    ['Open', ['Open', 'Todo', 'Doing'], true],
    ['Queued', ['Queued', 'Running'], true],
    ['Running', ['Queued', 'Running'], false],
    ['Backlog', ['Todo'], false],
    ['Todo', [], false],
  ])('%s among %j: %s', (state, active, expected) => {
    expect(isNotStarted(state, active)).toBe(expected);
  });
});

it('knows configured states and those in use, under one spelling', () => {
  const states = localStates(['Todo', 'In Progress'], ['Done']);
  expect(states.inactive).toEqual(['Backlog', 'Human Review']);
  expect(allStates(states, ['done', 'QA', 'qa', 'Todo'])).toEqual([
    'Todo',
    'In Progress',
    'Backlog',
    'Human Review',
    'Done',
    'QA',
  ]);
  expect(knownState(states, ['QA'], ' qa ')).toBe('QA');
  expect(knownState(states, [], 'qa')).toBeNull();
});

it('leaves out hand-over states that are active or terminal', () => {
  expect(localStates(['backlog', 'Todo'], ['Done']).inactive).toEqual(['Human Review']);
  expect(localStates(['Todo'], ['Done'], ['Paused', 'Done']).inactive).toEqual(['Paused']);
});
