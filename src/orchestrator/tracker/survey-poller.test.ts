import { expect, test } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import type { Survey } from '../../domain/survey.ts';
import { type LogFields, type Logger, silentLogger } from '../../observability/logger.ts';
import { initialState } from '../../scheduler/core/initial-state.ts';
import type { LastPoll, SchedulerState } from '../../scheduler/core/state.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { SurveyPoller } from './survey-poller.ts';

const surveyOf = (...names: string[]): Survey => ({
  others: names.map((identifier) => ({ id: identifier, identifier, state: 'Backlog' })),
  complete: true,
  finished: 0,
  knownStates: null,
  ignored: [],
});

interface Answering {
  readonly signal: AbortSignal;
  resolve(survey: Survey): void;
  reject(error: Error): void;
}

/** A poller with a clock and a tracker that do nothing by themselves. */
function open(cost: 'none' | 'request' = 'none') {
  let now = 1_000_000;
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    paused: () => 0,
    setTimer(_ms, fire) {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  const asked: Answering[] = [];
  const trackerOf = (): Pick<Tracker, 'survey'> => ({
    survey: {
      cost,
      read: (signal) => new Promise((resolve, reject) => asked.push({ signal, resolve, reject })),
    },
  });
  let done = 0;
  const noted: [string, LogFields | undefined][] = [];
  const logger: Logger = { ...silentLogger, debug: (message, fields) => void noted.push([message, fields]) };
  const poller = new SurveyPoller(clock, logger, () => {
    done += 1;
  });
  const first = trackerOf();
  const poll = (ok = true): LastPoll => ({
    at: now,
    durationMs: 1,
    ok,
    error: ok ? null : 'down',
    candidates: 0,
    failingSince: null,
  });
  const note = (lastPoll: LastPoll | null, tracker: Pick<Tracker, 'survey'> | null = first): void => {
    const state = { ...initialState('boot'), lastPoll } as SchedulerState;
    poller.note(state, { tracker });
  };
  const settled = async (count: number): Promise<void> => {
    while (done < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    poller,
    asked,
    noted,
    poll,
    note,
    settled,
    trackerOf,
    timers,
    advance: (ms: number) => (now += ms),
  };
}

test('looks once per poll that succeeded, and keeps what it saw', async () => {
  const { poller, asked, poll, note, settled } = open();
  note(null);
  note(poll(false));
  expect([asked.length, poller.busy, poller.last]).toEqual([0, false, null]);
  const good = poll();
  note(good);
  note(good);
  expect([asked.length, poller.busy]).toEqual([1, true]);
  asked[0]?.resolve(surveyOf('A'));
  await settled(1);
  expect([poller.busy, poller.last]).toEqual([false, surveyOf('A')]);
  note(good);
  expect(asked).toHaveLength(1);
});

test('does not look again while a look is under way, and keeps the same object when nothing changed', async () => {
  const { poller, asked, poll, note, settled } = open();
  note(poll());
  note(poll());
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(surveyOf('A'));
  await settled(1);
  const { last } = poller;
  note(poll());
  asked[1]?.resolve(surveyOf('A'));
  await settled(2);
  expect(poller.last).toBe(last);
  note(poll());
  asked[2]?.resolve(surveyOf('A', 'B'));
  await settled(3);
  expect(poller.last).toEqual(surveyOf('A', 'B'));
});

test('a look that fails is noted, changes nothing, and is told like any other', async () => {
  const { poller, asked, noted, poll, note, settled } = open();
  note(poll());
  asked[0]?.resolve(surveyOf('A'));
  await settled(1);
  note(poll());
  asked[1]?.reject(new Error('the tracker is away'));
  await settled(2);
  expect([poller.busy, poller.last]).toEqual([false, surveyOf('A')]);
  expect(noted).toEqual([
    [expect.stringContaining('could not be looked at'), { error: 'the tracker is away' }],
  ]);
});

test('a look that never answers is given up, also when nobody heeds the signal', async () => {
  const { poller, asked, timers, noted, poll, note, settled } = open();
  note(poll());
  expect(timers.size).toBe(1);
  for (const fire of timers) fire();
  await settled(1);
  expect([asked[0]?.signal.aborted, poller.busy]).toEqual([true, false]);
  expect(noted).toHaveLength(1);
  note(poll());
  expect(asked).toHaveLength(2);
});

test('another tracker starts anew, and an answer of the one before does not count', async () => {
  const { poller, asked, poll, note, settled, trackerOf } = open();
  note(poll());
  const other = trackerOf();
  note(poll(), other);
  asked[0]?.resolve(surveyOf('OLD'));
  await settled(1);
  expect(poller.last).toBeNull();
  note(poll(), other);
  asked[1]?.resolve(surveyOf('NEW'));
  await settled(2);
  expect(poller.last).toEqual(surveyOf('NEW'));
  note(poll(), null);
  expect(poller.last).toBeNull();
});

test('what costs a request is looked at rarely', async () => {
  const { asked, poll, note, settled, advance } = open('request');
  note(poll());
  asked[0]?.resolve(surveyOf());
  await settled(1);
  note(poll());
  advance(899_999);
  note(poll());
  expect(asked).toHaveLength(1);
  advance(1);
  note(poll());
  expect(asked).toHaveLength(2);
});
