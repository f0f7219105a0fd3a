import { describeQueue } from '../../contract/queue.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { type NamedWorker, nextCommands } from './next-command.ts';
import type { Tone } from './tones.ts';

/** One thing that happened, for a person. */
export interface ToldLine {
  /** The issue it is about; null for the worker itself. */
  readonly who: string | null;
  readonly text: string;
  readonly tone: Tone;
}

/** Turns successive snapshots into lines about what is new. Pure: the caller keeps what it returns. */
export interface Narration {
  readonly lines: readonly ToldLine[];
  readonly told: Told;
  /** Some activity was held back; look again soon. */
  readonly more: boolean;
}

export interface Told {
  readonly events: ReadonlySet<string>;
  readonly activities: ReadonlyMap<string, { readonly text: string; readonly at: number }>;
  readonly waiting: ReadonlyMap<string, string>;
  readonly queue: string | null;
  readonly ignored: ReadonlySet<string>;
}

export const NOTHING_TOLD: Told = {
  events: new Set(),
  activities: new Map(),
  waiting: new Map(),
  queue: null,
  ignored: new Set(),
};

/** Kinds that say the same as another line. */
const SILENT: ReadonlySet<string> = new Set(['candidate', 'released', 'stopped']);

/** Kinds whose message begins with the outcome of the run. */
const NAMED_BY_MESSAGE: ReadonlySet<string> = new Set(['completed', 'failed', 'stalled', 'timed_out']);

const TONES: Readonly<Record<string, Tone>> = {
  running: 'start',
  completed: 'good',
  failed: 'bad',
  stalled: 'bad',
  tracker_poll_failed: 'bad',
  dispatch_preflight_failed: 'bad',
  workspace_cleanup_failed: 'bad',
  memory_lost: 'bad',
  input_blocked: 'attention',
  continuation_budget_blocked: 'attention',
  budget_exceeded: 'attention',
  no_progress_blocked: 'attention',
  not_pushed_blocked: 'attention',
  operator_terminal_stop_dispatch_suppressed: 'attention',
  agent_choice: 'attention',
};

/** Kinds after which a person has to act. */
const NEEDS_PERSON: ReadonlySet<string> = new Set([
  'input_blocked',
  'continuation_budget_blocked',
  'budget_exceeded',
  'no_progress_blocked',
  'not_pushed_blocked',
]);

export interface NarrateOptions {
  /** How the worker was named, for the commands that are told; left out where nobody can type them. */
  readonly worker?: NamedWorker;
  /** An agent is quoted at most this often; 0 quotes everything. */
  readonly activityMs: number;
}

export function narrate(snapshot: StateSnapshot, told: Told, options: NarrateOptions): Narration {
  const lines: ToldLine[] = [];
  const events = tellEvents(snapshot, told, options.worker ?? null, lines);
  const { activities, more } = tellActivities(snapshot, told, options, lines);
  const waiting = tellWaiting(snapshot, told, lines);
  const queue = tellQueue(snapshot, told, lines);
  const ignored = tellIgnored(snapshot, told, lines);
  return { lines, more, told: { events, activities, waiting, queue, ignored } };
}

function tellEvents(
  snapshot: StateSnapshot,
  told: Told,
  worker: NamedWorker | null,
  lines: ToldLine[],
): Set<string> {
  const titles = new Map(
    [...snapshot.running, ...snapshot.blocked, ...snapshot.retrying].map((row) => [row.issue_id, row.title]),
  );
  const seen = new Set<string>();
  for (const event of snapshot.recent_events.toReversed()) {
    const key = `${event.at} ${event.kind} ${event.issue_id ?? ''} ${event.message}`;
    seen.add(key);
    if (told.events.has(key) || SILENT.has(event.kind)) continue;
    const title = event.kind === 'running' ? titles.get(event.issue_id ?? '') : undefined;
    const about = title === undefined ? '' : ` “${title}”`;
    lines.push({
      who: event.issue_identifier ?? null,
      text: NAMED_BY_MESSAGE.has(event.kind)
        ? event.message
        : `${event.kind.replaceAll('_', ' ')}${about}: ${event.message}`,
      tone: TONES[event.kind] ?? 'plain',
    });
    const held = NEEDS_PERSON.has(event.kind)
      ? snapshot.blocked.find(({ issue_id: id }) => id === event.issue_id)
      : undefined;
    const [command] = held === undefined || worker === null ? [] : nextCommands(held, worker);
    if (command !== undefined)
      lines.push({ who: event.issue_identifier ?? null, text: `  > ${command}`, tone: 'attention' });
  }
  return seen;
}

function tellActivities(
  snapshot: StateSnapshot,
  told: Told,
  { activityMs }: NarrateOptions,
  lines: ToldLine[],
): { activities: Told['activities']; more: boolean } {
  const now = Date.parse(snapshot.generated_at);
  const activities = new Map<string, { text: string; at: number }>();
  let more = false;
  for (const run of snapshot.running) {
    const before = told.activities.get(run.run_id);
    if (before !== undefined) activities.set(run.run_id, before);
    if (run.last_message === '' || run.last_event !== 'activity' || before?.text === run.last_message)
      continue;
    const since = before === undefined ? Number.POSITIVE_INFINITY : now - before.at;
    if (since >= 0 && since < activityMs) {
      more = true;
      continue;
    }
    activities.set(run.run_id, { text: run.last_message, at: now });
    const turn = run.max_turns > 1 ? `turn ${run.turn_count}: ` : '';
    lines.push({ who: run.issue_identifier, text: `  ${turn}${run.last_message}`, tone: 'quiet' });
  }
  return { activities, more };
}

function tellWaiting(snapshot: StateSnapshot, told: Told, lines: ToldLine[]): Map<string, string> {
  const waiting = new Map(snapshot.waiting.map((row) => [row.issue_identifier, row.reason]));
  for (const [identifier, reason] of waiting) {
    if (told.waiting.get(identifier) === reason || reason.startsWith('about to start')) continue;
    const text = reason.startsWith('waiting') ? reason : `waiting: ${reason}`;
    lines.push({ who: identifier, text, tone: 'plain' });
  }
  return waiting;
}

/** Why nothing runs, once there has been a poll. */
function tellQueue(
  { queue, running, last_poll: poll }: StateSnapshot,
  told: Told,
  lines: ToldLine[],
): string | null {
  if (queue === undefined || poll?.ok !== true || running.length > 0) return told.queue;
  const text = describeQueue(queue);
  if (text === told.queue) return text;
  lines.push({ who: null, text, tone: 'plain' });
  return text;
}

/** What will never run as it is, each reason once; said again when it was gone in between. */
function tellIgnored({ queue }: StateSnapshot, told: Told, lines: ToldLine[]): ReadonlySet<string> {
  if (queue === undefined) return told.ignored;
  const texts = queue.ignored.map(({ name, why }) => `ignored ${JSON.stringify(name)}: ${why}`);
  for (const text of texts) if (!told.ignored.has(text)) lines.push({ who: null, text, tone: 'attention' });
  return new Set(texts);
}
