import type { ActivityKind, AgentEvent } from '../../domain/agent-event.ts';

export type Activity = Extract<AgentEvent, { type: 'activity' }>;

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
export const MAX_ACTIVITY_TEXT = 2000;

/** An activity as it is reported; null when there is nothing to tell. */
export function activity(kind: ActivityKind, said: string): Activity | null {
  const text = said.trim().slice(0, MAX_ACTIVITY_TEXT);
  return text === '' ? null : { type: 'activity', kind, text };
}

/** A step of a plan with a box in front that tells how far it is. */
export function planStep(status: unknown, step: string): string {
  const isRunning = status === 'in_progress' || status === 'inProgress';
  return `${status === 'completed' ? '[x]' : isRunning ? '[>]' : '[ ]'} ${step}`;
}

/** What is no text is empty. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
