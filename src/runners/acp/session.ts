import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { growUsage, ZERO_USAGE } from '../../domain/usage.ts';
import { type AppError, messageOf } from '../../errors/app-error.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { TurnBook } from '../turn-book.ts';
import type { Connection } from './connection.ts';
import { promptedSchema } from './protocol.ts';
import type { Timing } from './timing.ts';

export interface SessionParts {
  readonly input: SessionInput;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly turns: TurnBook;
  readonly sessionId: string;
  emit(event: AgentEvent): void;
  /** Called before the end of a turn is reported. */
  flush(): void;
  /** Nothing is reported after this; resolves when nothing is left open. */
  close(): Promise<void>;
}

export interface AcpSession extends AgentSession {
  onQuestion(question: string): void;
}

export function createSession(parts: SessionParts): AcpSession {
  const { input, timing, clock, connection, turns, sessionId } = parts;
  const { child } = connection;
  let turn = 0;
  let busy = false;
  let usage = ZERO_USAGE;
  let stopping: Promise<void> | null = null;
  /** What the current turn ends with, once this side has decided to end it. */
  let ending: TurnResult | null = null;
  let cancelGrace = (): void => {};

  const terminate = (): Promise<void> =>
    child.terminate(timing.stopGrace).catch((error: unknown) => {
      input.logger.error('the agent could not be ended', { error: messageOf(error) });
    });

  const finish = (result: TurnResult): void => {
    parts.flush();
    turns.end(ending ?? result);
  };

  /** Asks first; an agent that does not end the turn is ended with its whole process tree. */
  const endTurnWith = (result: TurnResult): void => {
    if (ending !== null || turns.current() === null) return;
    ending = result;
    connection.notify('session/cancel', { sessionId });
    cancelGrace = clock.setTimer(timing.interruptGraceMs, () => void terminate().then(() => finish(result)));
  };

  const prompt = async (text: string): Promise<TurnResult> => {
    try {
      const params = { sessionId, prompt: [{ type: 'text', text }] };
      const answer = promptedSchema.parse(await connection.request('session/prompt', params, null));
      if (answer.usage) {
        usage = growUsage(usage, answer.usage);
        parts.emit({ type: 'usage', usage, costUsd: null });
      }
      return resultOf(answer.stopReason);
    } catch (error) {
      const exit = connection.exitError();
      return exit === null ? resultOfError(messageOf(error)) : exitResult(exit);
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
    const cancelSilence = watchSilence(parts, () => endTurnWith(silenceResult(timing.silenceMs)));
    try {
      return await ended;
    } finally {
      cancelSilence();
      cancelGrace();
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    onQuestion: (question) =>
      endTurnWith({ kind: 'input_required', method: 'session/request_permission', question }),
    async runTurn(text, signal) {
      if (busy) throw new Error('a turn is already running');
      if (signal.aborted || stopping !== null) return { kind: 'interrupted' };
      busy = true;
      try {
        return await drive(text, signal);
      } finally {
        busy = false;
      }
    },
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

/** The protocol has no codes for these, so the words decide. */
function resultOfError(message: string): TurnResult {
  if (/\b429\b|rate.?limit|quota|usage limit/i.test(message))
    return { kind: 'quota', message, resetAt: null };
  const unauthorized = /\b401\b|authenticat|unauthori[sz]ed/i.test(message);
  return { kind: 'failed', code: unauthorized ? 'agent_unauthorized' : 'turn_failed', message };
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

/** Calls back once when the agent has printed nothing for the time a turn may be silent. */
function watchSilence({ clock, timing, connection }: SessionParts, onSilent: () => void): () => void {
  const begunAt = clock.now();
  let cancel = (): void => {};
  const wait = (): void => {
    const left = timing.silenceMs - (clock.now() - Math.max(begunAt, connection.heardAt()));
    if (left <= 0) onSilent();
    else cancel = clock.setTimer(left, wait);
  };
  wait();
  return () => cancel();
}
