import type { JournalReader, TimelineEntry } from '../../store/journal.ts';

/** All of a run's timeline, page after page. */
export async function readJournalTimeline(
  journal: JournalReader,
  runId: string,
): Promise<{ entries: readonly TimelineEntry[]; unreadable: number }> {
  const entries: TimelineEntry[] = [];
  let unreadable = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page = await journal.runEvents(runId, { after, limit: 10_000 });
    entries.push(...page.entries);
    unreadable += page.unreadable;
    after = page.next;
  }
  return { entries, unreadable };
}
