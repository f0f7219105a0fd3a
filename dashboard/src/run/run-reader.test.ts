import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/client.ts';
import type { RunDetail, TimelineEntry } from '../../../src/contract/runs.ts';
import { RunReader } from './run-reader.ts';

const DETAIL: RunDetail = {
  run_id: 'r1',
  issue_identifier: 'A-1',
  status: 'live',
  running: null,
  ended: null,
  facts: null,
  timeline: null,
};
const entry = (seq: number): TimelineEntry => ({
  seq,
  at: '2026-07-01T09:30:00.000Z',
  kind: 'activity',
  message: `event ${seq}`,
  detail: {},
});
const said = (seq: number) =>
  ({ type: 'run', run_id: 'r1', issue_identifier: 'A-1', entry: entry(seq) }) as const;

/** A worker with a transcript on disk, and timers that are fired by hand. */
function openRun(disk: TimelineEntry[]) {
  let away: ApiError | null = null;
  let asked = 0;
  const timers: (() => void)[] = [];
  const reader = new RunReader({
    run: 'r1',
    client: {
      run: async () => {
        if (away !== null) throw away;
        return DETAIL;
      },
      runEvents: async (run, { after = 0, limit = 1 } = {}) => {
        asked += 1;
        const events = disk.filter(({ seq }) => seq > after).slice(0, limit);
        const last = events.at(-1)?.seq ?? 0;
        const more = disk.some(({ seq }) => seq > last) && events.length === limit;
        return { run_id: run, events, next: more ? last : null, live: true, unreadable: 0 };
      },
    },
    setTimer(_delay, callback) {
      timers.push(callback);
      return () => {};
    },
  });
  return {
    reader,
    asked: () => asked,
    seqs: () => reader.get().entries.map(({ seq }) => seq),
    pass: () => {
      for (const timer of timers.splice(0)) timer();
    },
    goAway: (error: ApiError | null) => {
      away = error;
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('RunReader', () => {
  it('reads the transcript page by page, then shows what the stream brings, in batches', async () => {
    const scene = openRun(Array.from({ length: 4_500 }, (_, index) => entry(index + 1)));
    await scene.reader.read();
    expect(scene.asked()).toBe(3);
    expect(scene.reader.get()).toMatchObject({ complete: true, detail: DETAIL, problem: null });
    scene.reader.hear(said(4_501));
    scene.reader.hear(said(4_502));
    scene.reader.hear(said(4_501));
    expect(scene.seqs()).toHaveLength(4_500);
    scene.pass();
    expect(scene.seqs().slice(-2)).toEqual([4_501, 4_502]);
  });

  it('reads what it missed while the stream was away, and lives with what was never kept', async () => {
    const disk = [entry(1)];
    const scene = openRun(disk);
    await scene.reader.read();
    disk.push(entry(2), entry(3));
    scene.reader.hear(said(4));
    scene.pass();
    await settle();
    expect(scene.seqs()).toEqual([1, 2, 3, 4]);
    scene.reader.hear(said(9));
    scene.pass();
    await settle();
    expect(scene.seqs()).toEqual([1, 2, 3, 4, 9]);
  });

  it('says what went wrong and keeps what it has', async () => {
    const scene = openRun([entry(1)]);
    await scene.reader.read();
    scene.goAway(new ApiError('unreachable', 'no answer', null, undefined, { hint: 'Start it.' }));
    await scene.reader.read();
    expect(scene.reader.get()).toMatchObject({
      entries: [entry(1)],
      problem: { code: 'unreachable', message: 'no answer. Start it.' },
    });
    scene.goAway(null);
    await scene.reader.read();
    expect(scene.reader.get().problem).toBeNull();
  });
});
