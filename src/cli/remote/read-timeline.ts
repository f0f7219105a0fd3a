import type { ApiClient } from '../../contract/client.ts';
import type { TimelineEntry } from '../../contract/runs.ts';

const PAGE = 1_000;

/** Everything a run has reported after `from`; `live` is false when there will be no more. */
export async function readTimeline(
  client: ApiClient,
  run: string,
  from: number,
  signal: () => AbortSignal,
): Promise<{ entries: TimelineEntry[]; live: boolean }> {
  const entries: TimelineEntry[] = [];
  let live = false;
  for (let after: number | null = from; after !== null; ) {
    const page: Awaited<ReturnType<ApiClient['runEvents']>> = await client.runEvents(
      run,
      { after, limit: PAGE },
      signal(),
    );
    entries.push(...page.events);
    live = page.live;
    after = page.next;
  }
  return { entries, live };
}
