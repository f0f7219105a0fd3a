import type { ActivityKind, AgentEvent } from '../../domain/agent-event.ts';

export type Activity = Extract<AgentEvent, { type: 'activity' }>;

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
export const MAX_ACTIVITY_TEXT = 2000;

/** An activity as it is reported; null when there is nothing to tell. */
export function activity(kind: ActivityKind, said: string): Activity | null {
  const text = said.trim().slice(0, MAX_ACTIVITY_TEXT);
  return text === '' ? null : { type: 'activity', kind, text };
}
