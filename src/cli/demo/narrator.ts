import type { StateSnapshot } from '../../contract/state.ts';

/** Turns successive snapshots into lines about what is new. Pure: the caller keeps what it returns. */
export interface Narration {
  readonly lines: readonly string[];
  readonly told: Told;
}

export interface Told {
  /** Time of the newest event told, and how many events at that time were. */
  readonly eventsSeen: ReadonlySet<string>;
  readonly messages: ReadonlyMap<string, string>;
  readonly waiting: ReadonlyMap<string, string>;
}

export const NOTHING_TOLD: Told = { eventsSeen: new Set(), messages: new Map(), waiting: new Map() };

/** Kinds that say the same as another line. */
const QUIET = new Set(['candidate', 'released', 'stopped']);

export function narrate(snapshot: StateSnapshot, told: Told): Narration {
  const lines: string[] = [];
  const eventsSeen = new Set<string>();
  for (const event of snapshot.recent_events.toReversed()) {
    const key = `${event.at} ${event.kind} ${event.issue_id ?? ''} ${event.message}`;
    eventsSeen.add(key);
    if (told.eventsSeen.has(key) || QUIET.has(event.kind)) continue;
    lines.push(
      line(event.issue_identifier ?? 'worker', `${event.kind.replaceAll('_', ' ')}: ${event.message}`),
    );
  }
  const messages = new Map<string, string>();
  for (const run of snapshot.running) {
    if (run.last_message === '' || run.last_event !== 'activity') continue;
    messages.set(run.run_id, run.last_message);
    if (told.messages.get(run.run_id) === run.last_message) continue;
    const turn = run.max_turns > 1 ? `turn ${run.turn_count}: ` : '';
    lines.push(line(run.issue_identifier, `  ${turn}${run.last_message}`));
  }
  const waiting = new Map(snapshot.waiting.map((row) => [row.issue_identifier, row.reason]));
  for (const [identifier, reason] of waiting) {
    if (told.waiting.get(identifier) !== reason && reason !== 'about to start') {
      lines.push(line(identifier, `waiting: ${reason}`));
    }
  }
  return { lines, told: { eventsSeen, messages, waiting } };
}

function line(who: string, text: string): string {
  return `${who.padEnd(7)} ${text.replace(/\s+/g, ' ').trim()}`;
}
