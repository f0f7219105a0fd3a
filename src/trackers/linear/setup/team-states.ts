import { nearest } from '../../../domain/nearest.ts';
import { sameState } from '../../../domain/state-name.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { Option, Questions, WorkStates } from '../../tracker-setup.ts';

/** A state of a team in Linear, with Linear's own word for what kind of state it is. */
export interface TeamState {
  readonly name: string;
  readonly type: string;
}

/** What the workflow says when the team cannot be asked. */
const USUAL: WorkStates = {
  active: ['Todo', 'In Progress'],
  inactive: ['Backlog', 'In Review'],
  terminal: ['Done', 'Canceled', 'Duplicate'],
  ready: 'Todo',
  rework: null,
  review: 'In Review',
};

const FINISHED = ['completed', 'canceled', 'duplicate'];
const REVIEW = /review/i;
const WORKING = /\b(in progress|doing|in development|working)\b/i;
const REWORK = /\b(rework|changes requested|needs work)\b/i;

interface StateFlags {
  readonly readyState?: string | undefined;
  readonly reviewState?: string | undefined;
}

/** How issues go through the states of a team. Null: they are not known, and Linear's usual ones are taken. */
export async function decideStates(
  states: readonly TeamState[] | null,
  { readyState, reviewState }: StateFlags,
  questions: Questions | null,
): Promise<WorkStates> {
  if (states === null) return usualStates(readyState, reviewState);
  const ready =
    stateNamed('--ready-state', readyState, states) ??
    (await decideState(questions, 'In which state does an agent take an issue?', readyOptions(states))) ??
    missing('--ready-state', 'from which an agent takes an issue', states);
  const review =
    stateNamed('--review-state', reviewState, states) ??
    (await decideState(
      questions,
      'Where does the agent put it when its work is done?',
      reviewOptions(states, ready),
    )) ??
    missing('--review-state', 'for finished work that a person looks at', states);
  return workStatesOf(states, ready, review);
}

/** One that is the only sensible one, or what a person chooses. */
async function decideState(
  questions: Questions | null,
  question: string,
  { sure, all }: Choice,
): Promise<string | null> {
  if (questions === null) return sure;
  return all.length === 0 ? null : questions.choose(question, all);
}

interface Choice {
  /** What is taken when nobody can be asked; null where that would be a guess. */
  readonly sure: string | null;
  /** Best first. */
  readonly all: readonly Option<string>[];
}

function readyOptions(states: readonly TeamState[]): Choice {
  const rank = ({ name, type }: TeamState): number =>
    type === 'unstarted' ? (sameState(name, 'Todo') ? 0 : 1) : 2;
  const all = states
    .filter(({ type }) => !FINISHED.includes(type))
    .toSorted((one, other) => rank(one) - rank(other));
  return { sure: all.find(({ type }) => type === 'unstarted')?.name ?? null, all: all.map(optionOf) };
}

function reviewOptions(states: readonly TeamState[], ready: string): Choice {
  const rank = ({ name, type }: TeamState): number =>
    REVIEW.test(name) ? 0 : type === 'started' && !WORKING.test(name) ? 1 : FINISHED.includes(type) ? 3 : 2;
  const all = states
    .filter(({ name }) => !sameState(name, ready) && !WORKING.test(name) && !REWORK.test(name))
    .toSorted((one, other) => rank(one) - rank(other));
  return { sure: all.find(({ name }) => REVIEW.test(name))?.name ?? null, all: all.map(optionOf) };
}

function optionOf({ name, type }: TeamState): Option<string> {
  return { value: name, label: name, hint: type };
}

function workStatesOf(states: readonly TeamState[], ready: string, review: string): WorkStates {
  const isReview = (name: string): boolean => sameState(name, review);
  const open = states.filter(({ type }) => !FINISHED.includes(type)).map(({ name }) => name);
  const active = open.filter(
    (name) => sameState(name, ready) || (!isReview(name) && (WORKING.test(name) || REWORK.test(name))),
  );
  return {
    active,
    inactive: open.filter((name) => !active.includes(name)),
    terminal: states.filter(({ type }) => FINISHED.includes(type)).map(({ name }) => name),
    ready,
    rework: active.find((name) => REWORK.test(name)) ?? null,
    review,
  };
}

function usualStates(ready: string | undefined, review: string | undefined): WorkStates {
  return {
    ...USUAL,
    active: ready === undefined ? USUAL.active : [ready, ...USUAL.active.slice(1)],
    inactive: review === undefined ? USUAL.inactive : [...USUAL.inactive.slice(0, -1), review],
    ready: ready ?? USUAL.ready,
    review: review ?? USUAL.review,
  };
}

/** As the team spells it. */
function stateNamed(flag: string, given: string | undefined, states: readonly TeamState[]): string | null {
  if (given === undefined) return null;
  const found = states.find(({ name }) => sameState(name, given));
  if (found !== undefined) return found.name;
  const names = states.map(({ name }) => name);
  const meant = nearest(given, names);
  throw new AppError('usage', `${flag} ${JSON.stringify(given)}: the team has no such state in Linear.`, {
    hint: `${meant === null ? '' : `Did you mean ${meant}? `}It has ${names.join(', ')}.`,
  });
}

function missing(flag: string, what: string, states: readonly TeamState[]): never {
  throw new AppError('usage', `The team has no state in Linear that is plainly one ${what}.`, {
    hint: `Add ${flag} with one of ${states.map(({ name }) => name).join(', ')}, or make one in Linear.`,
  });
}
