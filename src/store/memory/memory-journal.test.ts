import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../domain/run-event.ts';
import { createMemoryJournal } from './memory-journal.ts';

const event: RunEvent = { type: 'phase', phase: 'Finishing', detail: null };

describe('a journal in memory', () => {
  it('keeps the end of a long timeline and says how much it let go', async () => {
    const journal = createMemoryJournal();
    for (let at = 1; at <= 250; at += 1) journal.appendRunEvent('r-1', at, event);
    const page = await journal.runEvents('r-1', { limit: 3 });
    expect(page.entries.map((entry) => entry.seq)).toEqual([51, 52, 53]);
    expect(page.next).toBe(53);
    expect(await journal.runEvents('r-1', { after: 249 })).toMatchObject({
      next: null,
      entries: [{ seq: 250 }],
    });
    expect(journal.findRun('r')).toMatchObject({
      kind: 'found',
      run: { ended: null, transcript: { events: 250, dropped: 50, firstAt: 51, lastAt: 250 } },
    });
  });

  it('keeps the timelines of the latest runs only', async () => {
    const journal = createMemoryJournal();
    for (let run = 1; run <= 60; run += 1) journal.appendRunEvent(`r-${run}`, run, event);
    expect((await journal.runEvents('r-1')).entries).toEqual([]);
    expect((await journal.runEvents('r-60')).entries).toHaveLength(1);
    expect(journal.findRun('r-7')).toEqual({ kind: 'none' });
    expect(journal.findRun('r-2')).toMatchObject({ kind: 'ambiguous' });
  });

  it('says why it is there', () => {
    expect(createMemoryJournal('no disk').status).toEqual({ path: null, ok: false, problem: 'no disk' });
    expect(createMemoryJournal().status.ok).toBe(true);
  });
});
