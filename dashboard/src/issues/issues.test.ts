import { describe, expect, it } from 'vitest';
import type { IssueCard, TrackerBoard, TrackerIssue } from '../../../src/contract/tracker-issues.ts';
import { cardBeside, deriveColumns, stateBeside } from './derive-columns.ts';
import { changesOf, clashes, draftOf, newDraft, newIssueBody, rebase } from './issue-draft.ts';

function card(id: string, state: string, over: Partial<IssueCard> = {}): IssueCard {
  return {
    id,
    identifier: id,
    title: `Title of ${id}`,
    state,
    priority: null,
    labels: [],
    assignee: null,
    updated_at: null,
    comments: 0,
    held_by: null,
    ...over,
  };
}

const BOARD: TrackerBoard = {
  states: [
    { name: 'Todo', kind: 'active' },
    { name: 'In Progress', kind: 'active' },
    { name: 'Done', kind: 'finished' },
  ],
  issues: [card('T-1', 'todo'), card('T-2', 'Todo', { labels: ['ui'] }), card('T-3', 'Done')],
  left_out: 0,
  broken: [],
};
const NONE = new Map<string, string>();
const ids = (search: string, moves = NONE): string[][] =>
  deriveColumns(BOARD, search, moves).map(({ cards }) => cards.map(({ id }) => id));

describe('the columns', () => {
  it('are one for each state, whatever the case, with what is on its way', () => {
    expect(ids('')).toEqual([['T-1', 'T-2'], [], ['T-3']]);
    expect(ids('', new Map([['T-1', 'In Progress']]))).toEqual([['T-2'], ['T-1'], ['T-3']]);
  });

  it('are searched by all words in titles, labels and names', () => {
    expect(ids('title UI')).toEqual([['T-2'], [], []]);
    expect(ids('t-3')).toEqual([[], [], ['T-3']]);
  });

  it('have neighbours for keys', () => {
    const columns = deriveColumns(BOARD, '', NONE);
    expect(stateBeside(columns, 'todo', 1)).toBe('In Progress');
    expect(stateBeside(columns, 'Todo', -1)).toBeNull();
    expect(stateBeside(columns, 'Done', 1)).toBeNull();
    expect(cardBeside(columns, 'T-1', 'ArrowDown')).toBe('T-2');
    expect(cardBeside(columns, 'T-2', 'ArrowRight')).toBe('T-3');
    expect(cardBeside(columns, 'T-3', 'ArrowLeft')).toBe('T-1');
    expect(cardBeside(columns, 'T-1', 'ArrowUp')).toBeNull();
    expect(cardBeside(columns, 'gone', 'ArrowUp')).toBeNull();
  });
});

describe('what a form sends', () => {
  const base: TrackerIssue = {
    ...card('T-1', 'Todo', { labels: ['ui', 'bug'] }),
    description: 'Text',
    version: 'a',
  };

  it('is what was changed, and nothing else', () => {
    expect(changesOf(base, draftOf(base))).toEqual({});
    expect(changesOf(base, { ...draftOf(base), labels: ' ui,, new ', priority: '2' })).toEqual({
      labels: ['ui', 'new'],
      priority: 2,
    });
    expect(changesOf({ ...base, priority: 2 }, draftOf(base))).toEqual({ priority: null });
  });

  it('is everything for a new issue', () => {
    expect(newIssueBody({ ...newDraft('Todo'), title: 'A', labels: 'x' })).toEqual({
      title: 'A',
      state: 'Todo',
      priority: null,
      labels: ['x'],
      description: '',
    });
  });

  it('keeps both changes after a conflict, and names the fields where only one can stay', () => {
    const theirs = { ...base, description: 'Their text', state: 'Done' };
    const mine = { ...draftOf(base), title: 'Mine', description: 'My text' };
    expect(rebase(base, mine, theirs)).toEqual({ ...mine, state: 'Done' });
    expect(clashes(base, mine, theirs)).toEqual(['description']);
    expect(clashes(base, { ...mine, description: 'Their text' }, theirs)).toEqual([]);
  });
});
