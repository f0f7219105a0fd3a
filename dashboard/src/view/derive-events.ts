import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { Tone } from './derive-ended.ts';

export interface EventView {
  readonly key: string;
  readonly at: string;
  readonly subject: string | null;
  readonly message: string;
  /** What happened, where the message alone does not say it. */
  readonly label: string | null;
  readonly tone: Tone;
}

/** Kinds whose messages are whole sentences about what happened. */
const SPEAKS_FOR_ITSELF: ReadonlySet<string> = new Set([
  'running',
  'completed',
  'failed',
  'retry_scheduled',
  'continuation_budget_blocked',
  'no_progress_blocked',
  'not_pushed_blocked',
  'worker_started',
]);

export function deriveEvents(snapshot: StateSnapshot): readonly EventView[] {
  const seen = new Map<string, number>();
  return snapshot.recent_events.map((event) => {
    const identity = `${event.at} ${event.kind} ${event.issue_id ?? ''}`;
    const repeat = seen.get(identity) ?? 0;
    seen.set(identity, repeat + 1);
    return {
      key: `${identity} ${repeat}`,
      at: event.at,
      subject: event.issue_identifier ?? event.issue_id ?? null,
      message: event.message,
      label: SPEAKS_FOR_ITSELF.has(event.kind) ? null : event.kind.replaceAll('_', ' '),
      tone: toneOf(event.kind),
    };
  });
}

/** By the words in the kind, so that kinds added later still get a fitting colour. */
function toneOf(kind: string): Tone {
  if (/fail|error|stall|timed_out|crash/.test(kind)) return 'bad';
  if (/block|budget|suppress|quota|retry/.test(kind)) return 'attention';
  if (/deliver|complete|handoff/.test(kind)) return 'good';
  return 'plain';
}
