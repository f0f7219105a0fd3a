import { expect, test } from 'vitest';
import { makeIssue } from '../../../test/fakes/scheduler-fixture.ts';
import type { Clock } from '../../domain/clock.ts';
import type { RefreshOutcome } from '../../domain/issue.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { IssueReads } from './issue-reads.ts';

/** A clock that moves when told, and a tracker that writes down what it is asked. */
function open(idsPerRequest?: number) {
  let now = 0;
  const timers = new Set<{ readonly at: number; fire(): void }>();
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    paused: () => 0,
    setTimer(ms, fire) {
      const timer = { at: now + ms, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const requests: string[][] = [];
  const tracker: Tracker = {
    kind: 'counting',
    tools: { specs: [], secretEnvironmentNames: [], execute: () => expect.fail('no tool is called') },
    changes: null,
    fetchIssuesByStates: () => expect.fail('nothing is listed'),
    ...(idsPerRequest === undefined ? {} : { idsPerRequest }),
    async fetchIssuesByIds(ids) {
      requests.push([...ids]);
      const outcomes = ids.map((id): [string, RefreshOutcome] => [
        id,
        { kind: 'current', issue: makeIssue(id) },
      ]);
      return new Map(outcomes);
    },
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.fire();
    }
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { reads: new IssueReads(clock), tracker, requests, pass };
}

test('reads within a moment share one request, and each gets its answer', async () => {
  const { reads, tracker, requests, pass } = open(50);
  const first = reads.read(tracker, ['a']);
  await pass(20);
  const second = reads.read(tracker, ['b', 'a']);
  expect(requests).toEqual([]);
  await pass(80);
  expect(requests).toEqual([['a', 'b']]);
  expect((await first).ok && (await second).ok).toBe(true);
  void reads.read(tracker, ['c']);
  await pass(100);
  expect(requests).toEqual([['a', 'b'], ['c']]);
});

test('a patient read goes with the next one, or alone after a second', async () => {
  const { reads, tracker, requests, pass } = open(50);
  void reads.read(tracker, ['a'], 'patient');
  await pass(500);
  void reads.read(tracker, ['b']);
  await pass(100);
  expect(requests).toEqual([['a', 'b']]);
  void reads.read(tracker, ['c'], 'patient');
  await pass(999);
  expect(requests).toHaveLength(1);
  await pass(1);
  expect(requests).toEqual([['a', 'b'], ['c']]);
});

test('a request never asks for more than it can, and what does not fit waits for the next', async () => {
  const { reads, tracker, requests, pass } = open(3);
  void reads.read(tracker, ['a', 'b']);
  void reads.read(tracker, ['c', 'd']);
  await pass(100);
  expect(requests).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('one that must be alone, and a tracker that answers for one issue at a time, are asked at once', async () => {
  const many = open(50);
  void many.reads.read(many.tracker, ['a']);
  void many.reads.read(many.tracker, ['b'], 'alone');
  expect(many.requests).toEqual([['b']]);
  const single = open();
  void single.reads.read(single.tracker, ['a'], 'patient');
  expect(single.requests).toEqual([['a']]);
});

test('another tracker is asked by itself', async () => {
  const { reads, tracker, requests, pass } = open(50);
  const other = open(50);
  void reads.read(tracker, ['a']);
  void reads.read(other.tracker, ['b']);
  await pass(100);
  expect([requests, other.requests]).toEqual([[['a']], [['b']]]);
});
