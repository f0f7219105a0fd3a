import { describe, expect, it } from 'vitest';
import { NOW } from '../../../test/fakes/board-view.ts';
import { type ActionRequest, allotLines } from './allot.ts';
import { alignedLayouts, layoutColumns } from './columns.ts';
import { describeRateLimits } from './rate-limits.ts';
import { addSample, tokensPerSecond } from './throughput.ts';

const request = (rows: number, selected: number | null = null, modest = 99): ActionRequest => ({
  rows,
  head: 1,
  selected,
  modest,
});

describe('allotLines', () => {
  it('gives everybody all when there is room', () => {
    expect(allotLines([request(3), request(0), request(2)], 20)).toEqual([
      { from: 0, shown: 3, visible: true },
      { from: 0, shown: 0, visible: true },
      { from: 0, shown: 2, visible: true },
    ]);
  });

  it('shares evenly what is too little, and first up to what each is content with', () => {
    expect(
      allotLines([request(50), request(50), request(50, null, 2)], 15).map(({ shown }) => shown),
    ).toEqual([5, 5, 2]);
  });

  it('never uses more lines than there are, and keeps the section with the selected row', () => {
    for (let lines = 0; lines < 40; lines += 1) {
      const requests = [request(4), request(9), request(500, 321), request(7)];
      const shares = allotLines(requests, lines);
      const used = shares.reduce((sum, { shown, visible }) => sum + (visible ? 1 + shown : 0), 0);
      if (lines >= 2) expect(used).toBeLessThanOrEqual(lines);
      const { from, shown } = shares[2] ?? { from: 0, shown: 0 };
      expect(from <= 321 && 321 < from + shown).toBe(true);
    }
  });

  it('shows the end of a list when its last row is selected', () => {
    expect(allotLines([request(10, 9)], 4)).toEqual([{ from: 7, shown: 3, visible: true }]);
  });
});

describe('layoutColumns', () => {
  const columns = [
    { title: 'A', width: 10, keep: 1 },
    { title: 'B', width: 5, keep: 8 },
    { title: 'C', width: 10, keep: 9, grows: true },
  ];

  it('leaves out what matters least, and never takes more than there is', () => {
    for (let room = 20; room < 200; room += 1) {
      const { id, title, widths } = layoutColumns(columns, 6, room);
      const shown = [title, ...widths].filter((width) => width > 0);
      const used = id + shown.reduce((sum, width) => sum + width + 2, 0);
      expect(used).toBeLessThanOrEqual(Math.max(room, 18));
    }
    expect(layoutColumns(columns, 6, 30)).toEqual({ id: 6, title: 0, widths: [0, 5, 15] });
    expect(layoutColumns(columns, 6, 200).widths[0]).toBe(10);
  });
});

describe('alignedLayouts', () => {
  it('makes titles equally wide, and gives the rest to what grows', () => {
    const narrow = [{ title: 'C', width: 20, keep: 9, grows: true }];
    const broad = [{ title: 'A', width: 30, keep: 8 }, ...narrow];
    for (let room = 90; room < 220; room += 7) {
      const layouts = alignedLayouts([narrow, broad], 8, room, 50);
      expect(layouts[0]?.title).toBe(layouts[1]?.title);
      for (const { id, title, widths } of layouts)
        expect(id + [title, ...widths].reduce((sum, width) => sum + (width > 0 ? width + 2 : 0), 0)).toBe(
          room,
        );
    }
  });
});

describe('describeRateLimits', () => {
  it.each([
    [null, 'n/a'],
    [{}, 'n/a'],
    [
      {
        limit_id: 'gpt',
        primary: { remaining: 12_345, limit: 20_000, reset_in_seconds: 30 },
        secondary: { remaining: 45, limit: 60 },
      },
      'gpt | primary 12,345/20,000 reset 30s | secondary 45/60',
    ],
    [{ primary: { usedPercent: 41.4, resetsAt: NOW / 1000 + 90 } }, 'primary 41% used reset 1m 30s'],
    [
      { limitId: 'mock', usedPercent: 100, resetAt: new Date(NOW + 5000).toISOString() },
      'mock | 100% used reset 5s',
    ],
    [{ primary: { remaining: 5 }, credits: { balance: '9876.5' } }, 'primary remaining 5 | credits 9876.50'],
    [
      { status: 'allowed', rateLimitType: 'five_hour', resetsAt: NOW / 1000 + 60 },
      'five_hour | allowed reset 1m 00s',
    ],
    [{ odd: { a: 1 }, more: 'x\u001B' }, 'odd {"a":1} | more x\u{FFFD}'],
  ])('%j', (limits, text) => expect(describeRateLimits(limits, NOW)).toBe(text));
});

describe('throughput', () => {
  it('is a window of five seconds, whatever the pace of the news', () => {
    let samples = addSample([], 0, 1000);
    expect(tokensPerSecond(samples)).toBeNull();
    for (let second = 1; second <= 60; second += 1)
      samples = addSample(samples, second * 1000, 1000 + second * 100);
    expect(tokensPerSecond(samples)).toBe(100);
    expect(samples.length).toBeLessThan(10);
    for (let second = 61; second <= 70; second += 1) samples = addSample(samples, second * 1000, 7000);
    expect(tokensPerSecond(samples)).toBe(0);
  });

  it('begins anew with another worker', () => {
    expect(tokensPerSecond(addSample(addSample([], 0, 5000), 1000, 10))).toBeNull();
  });
});
