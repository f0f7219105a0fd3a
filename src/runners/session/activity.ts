import type { ActivityKind, AgentEvent, CallFacts } from '../../domain/agent-event.ts';

export type Activity = Extract<AgentEvent, { type: 'activity' }>;

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
export const MAX_ACTIVITY_TEXT = 2000;

/** Characters of what a command printed or a tool was given that are kept. */
const MAX_CALL_TEXT = 6_000;
const MAX_CALL_ID = 200;

/** An activity as it is reported; null when there is nothing to tell. */
export function activity(kind: ActivityKind, said: string, call?: CallFacts): Activity | null {
  const text = said.trim().slice(0, MAX_ACTIVITY_TEXT);
  if (text === '') return null;
  return { type: 'activity', kind, text, ...(call === undefined ? {} : { call: cutCall(call) }) };
}

/** The beginning and the end of a long text: what was asked is at its front, what went wrong at its back. */
export function cutText(text: string): string {
  if (text.length <= MAX_CALL_TEXT) return text;
  const half = MAX_CALL_TEXT / 2;
  return `${text.slice(0, half)}\n… [${text.length - MAX_CALL_TEXT} characters left out] …\n${text.slice(-half)}`;
}

/** What a tool was given or answered, as text; undefined when there is nothing. */
export function callText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

function cutCall({ callId, input, output, ...rest }: CallFacts): CallFacts {
  return {
    ...(callId === undefined ? {} : { callId: callId.slice(0, MAX_CALL_ID) }),
    ...(input === undefined ? {} : { input: cutText(input) }),
    ...(output === undefined ? {} : { output: cutText(output) }),
    ...rest,
  };
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
