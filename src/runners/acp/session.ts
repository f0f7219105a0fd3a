import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { Clock } from '../../domain/clock.ts';
import { type AppError, messageOf } from '../../errors/app-error.ts';
import { oneTurnAtATime } from '../one-turn-at-a-time.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import { watchSilence } from '../silence-watch.ts';
import type { TurnBook } from '../turn-book.ts';
import type { Connection } from './connection.ts';
import { promptedSchema } from './protocol.ts';
import type { Reporter } from './reporter.ts';
import type { Timing } from './timing.ts';

export interface SessionParts {
  readonly input: SessionInput;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly turns: TurnBook;
  readonly reporter: Reporter;
  readonly sessionId: string;
  /** Nothing is reported after this; resolves when nothing is left open. */
  close(): Promise<void>;
}

export interface AcpSession extends AgentSession {
  onQuestion(question: string): void;
}

export function createSession(parts: SessionParts): AcpSession {
  const { input, timing, clock, connection, turns, reporter, sessionId } = parts;
  const { child } = connection;
  let turn = 0;
  let stopping: Promise<void> | null = null;
  /** What the current turn ends with, once this side has decided to end it. */
  let ending: TurnResult | null = null;
  let cancelGrace = (): void => {};

  const terminate = (): Promise<void> =>
    child.terminate(timing.stopGrace).catch((error: unknown) => {
      input.logger.error('the agent could not be ended', { error: messageOf(error) });
    });

  const finish = (result: TurnResult): void => {
    if (turns.current() === null) return;
    reporter.flush();
    turns.end(ending ?? result);
  };

  /** Asks first; an agent that does not end the turn is ended with its whole process tree. */
  const endTurnWith = (result: TurnResult): void => {
    if (ending !== null || turns.current() === null) return;
    ending = result;
    connection.cancel(sessionId);
    cancelGrace = clock.setTimer(timing.interruptGraceMs, () => void terminate().then(() => finish(result)));
  };

  const prompt = async (text: string): Promise<TurnResult> => {
    try {
      const params = { sessionId, prompt: [{ type: 'text' as const, text }] };
      const answer = await connection.request(methods.agent.session.prompt, params, null);
      const prompted = promptedSchema.safeParse(answer).data;
      if (prompted === undefined) return STRANGE_ANSWER;
      reporter.prompted(prompted);
      return resultOf(prompted.stopReason);
    } catch (error) {
      const exit = connection.exitError();
      return exit === null ? resultOfError(error) : exitResult(exit);
    }
  };

  const drive = async (text: string, signal: AbortSignal): Promise<TurnResult> => {
    ending = null;
    turn += 1;
    const ended = turns.begin();
    turns.started(`turn-${turn}`);
    void prompt(text).then(finish);
    const onAbort = (): void => endTurnWith({ kind: 'interrupted' });
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelSilence = watchSilence({
      clock,
      silenceMs: timing.silenceMs,
      heardAt: connection.heardAt,
      onSilent: () => endTurnWith(silenceResult(timing.silenceMs)),
    });
    const cancelToolWatch = reporter.watchTools();
    try {
      return await ended;
    } finally {
      cancelSilence();
      cancelToolWatch();
      cancelGrace();
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    onQuestion: (question) =>
      endTurnWith({ kind: 'input_required', method: methods.client.session.requestPermission, question }),
    runTurn: oneTurnAtATime(() => stopping !== null, drive),
    steer: null,
    stop() {
      ending ??= { kind: 'interrupted' };
      stopping ??= terminate().then(() => {
        turns.end({ kind: 'interrupted' });
        return parts.close();
      });
      return stopping;
    },
  };
}

function resultOf(stopReason: string): TurnResult {
  if (stopReason === 'end_turn') return { kind: 'completed' };
  if (stopReason === 'cancelled') return { kind: 'interrupted' };
  return { kind: 'failed', code: 'turn_failed', message: `The agent stopped: ${stopReason.slice(0, 100)}` };
}

const STRANGE_ANSWER: TurnResult = {
  kind: 'failed',
  code: 'turn_failed',
  message: 'The agent answered session/prompt with something the protocol does not know',
};
const MAX_MESSAGE = 500;
const AUTH_REQUIRED = -32000;

/** The protocol has a code for a missing sign-in and for nothing else, so the words decide. */
function resultOfError(error: unknown): TurnResult {
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

function exitResult(error: AppError): TurnResult {
  return { kind: 'failed', code: 'port_exit', message: error.message };
}

function silenceResult(ms: number): TurnResult {
  const seconds = Math.round(ms / 1000);
  return {
    kind: 'timed_out',
    message: `The agent was silent for longer than acp.turn_timeout_ms (${seconds} s)`,
  };
}
