import { describe, expect, test } from 'vitest';
import type { Questions } from '../../tracker-setup.ts';
import { decideStates, type TeamState } from './team-states.ts';

const team = (text: string): readonly TeamState[] =>
  text.split(', ').map((entry) => {
    const [name = '', type = ''] = entry.split(':');
    return { name, type };
  });
const USUAL = team(
  'Backlog:backlog, Todo:unstarted, In Progress:started, In Review:started, Done:completed, Canceled:canceled, Duplicate:duplicate',
);
const OWN = team(
  'Triage:triage, Ideas:backlog, Next:unstarted, Doing:started, QA:started, Changes Requested:started, Peer review:started, Shipped:completed, Won’t do:canceled',
);
const NO_REVIEW = team('Todo:unstarted, In Progress:started, Waiting:started, Done:completed');

/** Somebody who takes the first of each, or what is named; notes what was offered. */
function person(takes: readonly string[] = []): {
  readonly questions: Questions;
  readonly offered: string[][];
} {
  const offered: string[][] = [];
  const questions: Questions = {
    async choose(_message, options) {
      offered.push(options.map(({ label }) => label));
      const chosen =
        takes.map((name) => options.find(({ value }) => value === name)).find((one) => one !== undefined) ??
        options[0];
      if (chosen === undefined) throw new Error('nothing is offered');
      return chosen.value;
    },
    text: () => Promise.reject(new Error('no text is asked for')),
    confirm: () => Promise.reject(new Error('nothing is to be confirmed')),
  };
  return { questions, offered };
}

describe('the states of a team', () => {
  test('are used under their own names', async () => {
    expect(await decideStates(USUAL, {}, null)).toEqual({
      active: ['Todo', 'In Progress'],
      inactive: ['Backlog', 'In Review'],
      terminal: ['Done', 'Canceled', 'Duplicate'],
      ready: 'Todo',
      rework: null,
      review: 'In Review',
    });
    expect(await decideStates(OWN, {}, null)).toEqual({
      active: ['Next', 'Doing', 'Changes Requested'],
      inactive: ['Triage', 'Ideas', 'QA', 'Peer review'],
      terminal: ['Shipped', 'Won’t do'],
      ready: 'Next',
      rework: 'Changes Requested',
      review: 'Peer review',
    });
  });

  test('are what is offered, the likeliest first and no state that work goes on in for finished work', async () => {
    const { questions, offered } = person(['Next', 'QA']);
    expect(await decideStates(OWN, {}, questions)).toMatchObject({ ready: 'Next', review: 'QA' });
    expect(offered).toEqual([
      ['Next', 'Triage', 'Ideas', 'Doing', 'QA', 'Changes Requested', 'Peer review'],
      ['Peer review', 'QA', 'Triage', 'Ideas', 'Shipped', 'Won’t do'],
    ]);
  });

  test('are named by flags in any case, and then nothing is asked', async () => {
    const { questions, offered } = person();
    const found = await decideStates(OWN, { readyState: 'ideas', reviewState: 'qa' }, questions);
    expect(found).toMatchObject({ ready: 'Ideas', review: 'QA' });
    expect(found.active).toEqual(['Ideas', 'Doing', 'Changes Requested']);
    expect(offered).toEqual([]);
  });

  test('that are not there are an error with the one that was meant', async () => {
    await expect(decideStates(USUAL, { reviewState: 'In Reveiw' }, null)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('Did you mean In Review?'),
    });
  });

  test('without one for review are an error that names the flag, when nobody can be asked', async () => {
    await expect(decideStates(NO_REVIEW, {}, null)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringMatching(/--review-state with one of .*Waiting/),
    });
    expect(await decideStates(NO_REVIEW, {}, person().questions)).toMatchObject({ review: 'Waiting' });
  });

  test('that are not known are the usual ones, or what the flags say', async () => {
    expect(await decideStates(null, {}, null)).toMatchObject({ ready: 'Todo', review: 'In Review' });
    expect(await decideStates(null, { readyState: 'Next', reviewState: 'QA' }, null)).toMatchObject({
      active: ['Next', 'In Progress'],
      inactive: ['Backlog', 'QA'],
      ready: 'Next',
      review: 'QA',
    });
  });
});
