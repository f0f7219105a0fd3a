import { RequestError } from '@agentclientprotocol/sdk';
import { messageOf } from '../../errors/app-error.ts';
import type { TurnResult } from '../runner.ts';

/** How a turn counts that the agent has ended. */
export function resultOf(stopReason: string): TurnResult {
  if (stopReason === 'end_turn') return { kind: 'completed' };
  if (stopReason === 'cancelled') return { kind: 'interrupted' };
  return { kind: 'failed', code: 'turn_failed', message: `The agent stopped: ${stopReason.slice(0, 100)}` };
}

export const STRANGE_ANSWER: TurnResult = {
  kind: 'failed',
  code: 'turn_failed',
  message: 'The agent answered session/prompt with something the protocol does not know',
};
const MAX_MESSAGE = 500;
const AUTH_REQUIRED = -32000;

/** The protocol has a code for a missing sign-in and for nothing else, so the words decide. */
export function resultOfError(error: unknown): TurnResult {
  const refused = error instanceof RequestError ? error : null;
  const more = refused?.data === undefined ? '' : `: ${JSON.stringify(refused.data)}`;
  const said = `${messageOf(error)}${more}`;
  const message = said.slice(0, MAX_MESSAGE);
  const means = (words: RegExp): boolean => words.test(said.slice(0, 10_000));
  if (means(/\b429\b|rate.?limit|quota|usage limit|resource.?exhausted/i))
    return { kind: 'quota', message, resetAt: null };
  if (refused?.code === AUTH_REQUIRED || means(/\b401\b|authenticat|unauthori[sz]ed/i))
    return { kind: 'failed', code: 'agent_unauthorized', message };
  if (means(/\b(503|529)\b|overloaded/i)) return { kind: 'failed', code: 'agent_overloaded', message };
  const tooLong = means(/context.?(window|length)|prompt is too long/i);
  return { kind: 'failed', code: tooLong ? 'context_overflow' : 'turn_failed', message };
}
