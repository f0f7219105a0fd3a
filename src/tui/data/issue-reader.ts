import { type ApiClient, ApiError, createClient } from '../../contract/client.ts';
import type { TimelineEntry } from '../../contract/runs.ts';
import type { RunMessage } from '../../contract/stream.ts';
import { diffLines } from '../issue/diff-lines.ts';
import { type IssueData, noIssueData } from '../issue/issue-data.ts';
import type { Place } from './place.ts';

export interface IssueReaderOptions {
  place(): Place | null;
  /** The run whose events should be followed; null for none. */
  wantRun(run: string | null): void;
  onChange(): void;
}

/** The end of a transcript is what is looked at; more of it is on disk. */
const KEPT_ENTRIES = 1_000;
const PAGE = 500;
/** How often what changes without an event is read again, in ticks. */
const READ_EVERY = 5;

const NO_MORE = 'This worker has no transcript or diff to read here; what is known is under facts.';

/** Reads what there is about the open issue and keeps it true. */
export class IssueReader {
  readonly #options: IssueReaderOptions;
  #data: IssueData | null = null;
  #ticks = 0;
  #reading = false;
  /** Entries the stream brought while others were being read. */
  #waiting: TimelineEntry[] = [];

  constructor(options: IssueReaderOptions) {
    this.#options = options;
  }

  get data(): IssueData | null {
    return this.#data;
  }

  open(issueId: string | null): void {
    this.#options.wantRun(null);
    this.#waiting = [];
    this.#ticks = 0;
    this.#reading = false;
    this.#data = issueId === null ? null : noIssueData(issueId);
    if (issueId !== null) void this.#read();
  }

  /** Time has passed; `live` tells whether the stream brings the news, `diff` whether somebody looks at the changes. */
  tick(live: boolean, diff: boolean): void {
    if (this.#data === null || this.#reading) return;
    this.#ticks += 1;
    const due = this.#ticks % READ_EVERY === 0;
    if (due || (!live && this.#data.live)) void this.#read(diff && due);
  }

  /** The worker said that something about its issues changed for good. */
  reread(): void {
    if (this.#data !== null && !this.#reading) void this.#read(true);
  }

  hear({ run_id: run, entry }: RunMessage): void {
    const data = this.#data;
    if (data === null || run !== data.runId) return;
    const last = data.entries.at(-1)?.seq ?? 0;
    if (entry.seq <= last) return;
    if (!this.#reading && entry.seq === last + 1) {
      this.#append([entry]);
      return;
    }
    // What came in between is read first.
    this.#waiting.push(entry);
    if (!this.#reading) void this.#read(false);
  }

  #append(entries: readonly TimelineEntry[]): void {
    const data = this.#data;
    if (data === null || entries.length === 0) return;
    const last = data.entries.at(-1)?.seq ?? 0;
    const all = [...data.entries, ...entries.filter(({ seq }) => seq > last)];
    const dropped = Math.max(0, all.length - KEPT_ENTRIES);
    this.#change({ entries: all.slice(dropped), earlier: data.earlier + dropped });
  }

  #change(part: Partial<IssueData>): void {
    if (this.#data === null) return;
    this.#data = { ...this.#data, ...part };
    this.#options.onChange();
  }

  async #read(diff = true): Promise<void> {
    const place = this.#options.place();
    const opened = this.#data?.issueId;
    if (place === null || opened === undefined) return;
    const isOpen = (): boolean => this.#data?.issueId === opened;
    this.#reading = true;
    try {
      const client = createClient({ ...place });
      await this.#readDetail(client, opened, isOpen);
      const run = isOpen() ? this.#data?.runId : null;
      if (run != null) {
        await this.#readTimeline(client, run, isOpen);
        if (diff || this.#data?.diff == null) await this.#readDiff(client, run, isOpen);
      }
      if (isOpen()) this.#change({ problem: null });
    } catch (error) {
      if (isOpen()) this.#change({ problem: explain(error) });
    } finally {
      if (isOpen()) {
        this.#reading = false;
        this.#append(this.#waiting.splice(0));
      }
    }
  }

  async #readDetail(client: ApiClient, issueId: string, isOpen: () => boolean): Promise<void> {
    const detail = await client.issue(issueId);
    if (!isOpen()) return;
    if (detail === null) throw new Error(NO_MORE);
    const runId = detail.running?.run_id ?? detail.ended[0]?.run_id ?? null;
    const another = runId !== this.#data?.runId;
    this.#change({
      detail,
      runId,
      live: detail.running !== null,
      ...(another ? { entries: [], earlier: 0, diff: null } : {}),
    });
    this.#options.wantRun(detail.running?.run_id ?? null);
  }

  async #readTimeline(client: ApiClient, run: string, isOpen: () => boolean): Promise<void> {
    let after = this.#data?.entries.at(-1)?.seq ?? null;
    if (after === null) {
      const { timeline } = await client.run(run);
      after = Math.max(0, (timeline?.reported ?? 0) - KEPT_ENTRIES);
      if (isOpen()) this.#change({ earlier: after });
    }
    for (let next: number | null = after; next !== null && isOpen(); ) {
      const page = await client.runEvents(run, { after: next, limit: PAGE });
      if (isOpen()) this.#append(page.events);
      next = page.next;
    }
  }

  async #readDiff(client: ApiClient, run: string, isOpen: () => boolean): Promise<void> {
    const diff = await client.runDiff(run);
    if (isOpen()) this.#change({ diff: diffLines(diff) });
  }
}

function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'unexpected_answer' || error.code === 'not_found') return NO_MORE;
  return `${error.message}${error.hint === null ? '' : ` ${error.hint}`}`;
}
