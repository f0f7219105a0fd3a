import { expect, test } from 'vitest';
import { makeIssue, SchedulerFixture } from '../../../../test/fakes/scheduler-fixture.ts';
import type { Queue } from '../../../contract/queue.ts';
import type { StateSnapshot } from '../../../contract/state.ts';
import type { Survey } from '../../../domain/survey.ts';
import { type LogFields, type Logger, silentLogger } from '../../../observability/logger.ts';
import { initialState } from '../../../scheduler/core/initial-state.ts';
import type { LastPoll, SchedulerState } from '../../../scheduler/core/state.ts';
import { explainIdleness } from './explain-idleness.ts';

const POLLED: LastPoll = { at: 1, durationMs: 1, ok: true, error: null, candidates: 0, failingSince: null };

const queueOf = (seen: number, ignored: Queue['ignored'] = []): Queue => ({
  seen,
  complete: true,
  running: 0,
  ready: 0,
  groups:
    seen === 0 ? [] : [{ reason: 'not_active', label: 'Backlog (not active)', count: seen, examples: [] }],
  ignored,
  ignored_total: ignored.length,
});

/** A finished look at an empty tracker; each call gives a new object, as a poll does. */
function surveyed(): Survey {
  return { others: [], complete: true, finished: null, knownStates: null, ignored: [] };
}

/** An orchestrator whose state is set from outside, and everything that is logged about it. */
function open() {
  const lines: [level: string, message: string, fields: LogFields | undefined][] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (message, fields) => void lines.push(['info', message, fields]),
    debug: (message, fields) => void lines.push(['debug', message, fields]),
  };
  let changed = (): void => {};
  let queue: Queue | undefined = queueOf(3);
  let looks = 0;
  const orchestrator = {
    state: { ...initialState('boot'), lastPoll: null } as SchedulerState,
    survey: null as Survey | null,
    surveying: false,
    observe: (listener: () => void) => {
      changed = listener;
      return () => {};
    },
  };
  const snapshot = (): StateSnapshot => {
    looks += 1;
    return { queue } as StateSnapshot;
  };
  explainIdleness(orchestrator, { snapshot }, logger);
  return {
    lines,
    looks: () => looks,
    set(
      state: Partial<SchedulerState>,
      rest: { survey?: Survey; surveying?: boolean; queue?: Queue | undefined } = {},
    ) {
      orchestrator.state = { ...orchestrator.state, ...state };
      if (rest.survey !== undefined) orchestrator.survey = rest.survey;
      if (rest.surveying !== undefined) orchestrator.surveying = rest.surveying;
      if ('queue' in rest) queue = rest.queue;
      changed();
    },
  };
}

test('says nothing before a poll succeeded, while it is still looking, and while it shuts down', () => {
  const { lines, set } = open();
  set({});
  set({ lastPoll: { ...POLLED, ok: false, error: 'down' } });
  set({ lastPoll: POLLED }, { surveying: true });
  set({ draining: true }, { surveying: false });
  expect(lines).toEqual([]);
});

test('says what the first poll found, with what was ignored and why', () => {
  const { lines, set } = open();
  set({ lastPoll: POLLED }, { queue: queueOf(3, [{ name: 'my feature.md', why: 'no title' }]) });
  expect(lines).toEqual([
    [
      'info',
      'queue',
      {
        summary: '3 issues seen: 0 ready; 3 Backlog (not active); ignored: "my feature.md"',
        seen: 3,
        ready: 0,
        running: 0,
      },
    ],
    ['debug', 'ignored', { name: 'my feature.md', why: 'no title' }],
  ]);
});

test('speaks again only when what it would say has changed', () => {
  const { lines, looks, set } = open();
  set({ lastPoll: POLLED });
  set({});
  set({ lastPoll: { ...POLLED, at: 2 } });
  expect([lines.length, looks()]).toEqual([1, 1]);
  set({ candidates: new Map() as SchedulerState['candidates'] });
  expect([lines.length, looks()]).toEqual([1, 2]);
  set({}, { survey: surveyed(), queue: queueOf(1) });
  expect(lines.map(([, , fields]) => fields?.['seen'])).toEqual([3, 1]);
});

test('is silent about a worker at work, and in the middle of a poll', () => {
  const { lines, set } = open();
  set({ lastPoll: POLLED });
  const issue = makeIssue('a');
  set(
    { live: new SchedulerFixture().start().poll([issue]).state.live },
    { survey: surveyed(), queue: queueOf(2) },
  );
  expect(lines).toHaveLength(1);
  set({ live: new Map() as SchedulerState['live'] });
  expect(lines).toHaveLength(2);
});

test('a snapshot without a queue is no explanation', () => {
  const { lines, set } = open();
  set({ lastPoll: POLLED }, { queue: undefined });
  expect(lines).toEqual([]);
});
