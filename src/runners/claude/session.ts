import { randomUUID } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { type AppError, messageOf } from '../../errors/app-error.ts';
import { oneTurnAtATime } from '../one-turn-at-a-time.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import { watchSilence } from '../silence-watch.ts';
import type { Timing } from '../timing.ts';
import type { TurnBook } from '../turn-book.ts';
import { type Connection, type Fields, userMessage } from './connection.ts';
import type { ResultMessage } from './protocol.ts';
import { createSteering } from './steering.ts';
import { type ResultFacts, turnResultOf } from './turn-result.ts';

export interface SessionParts {
  readonly input: SessionInput;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly turns: TurnBook;
  /** Nothing is reported after this. */
  close(): void;
}

/** A session and what its connection tells it. */
export interface ClaudeSession extends AgentSession {
  onResult(result: ResultMessage, facts: ResultFacts): void;
  onQuestion(method: string, question: string): void;
  /** Claude tells what became of something it was told. */
  onLifecycle(message: Fields): void;
}

export function createSession(parts: SessionParts): ClaudeSession {
  const { input, timing, clock, connection, turns } = parts;
  const { child } = connection;
  const steering = createSteering();
  let turn = 0;
  let stopping: Promise<void> | null = null;
  /** What the current turn ends with, once this side has decided to end it. */
  let ending: TurnResult | null = null;
  /** Claude works on something that nobody waits for, and is being ended. */
  let goingOnAlone = false;
  let cancelGrace = (): void => {};

  const terminate = (): Promise<void> =>
    child.terminate(timing.stopGrace).catch((error: unknown) => {
      input.logger.error('Claude could not be ended', { error: messageOf(error) });
    });

  /** Asks first; a Claude that does not end the turn is ended with its whole process tree. */
  const endTurnWith = (result: TurnResult): void => {
    if (ending !== null || turns.current() === null) return;
    ending = result;
    // The answer to a question interrupts by itself.
    if (result.kind !== 'input_required') connection.interrupt(timing.interruptGraceMs).catch(() => {});
    cancelGrace = clock.setTimer(timing.interruptGraceMs, () => {
      void terminate().then(() => turns.end(result));
    });
  };

  void connection.ended.then(() => {
    cancelGrace();
    turns.end(ending ?? exitResult(connection.exitError()));
  });

  const drive = async (prompt: string, signal: AbortSignal): Promise<TurnResult> => {
    ending = null;
    turn += 1;
    const ended = turns.begin();
    turns.started(`turn-${turn}`);
    const exit = connection.exitError();
    if (exit !== null) turns.end(exitResult(exit));
    // A Claude that does not read its input is of no more use; its exit ends the turn.
    else connection.say(userMessage(randomUUID(), prompt)).catch(() => void terminate());
    const onAbort = (): void => endTurnWith({ kind: 'interrupted' });
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelSilence = watchSilence({
      clock,
      silenceMs: timing.silenceMs,
      heardAt: () => connection.heardAt(),
      onSilent: () => endTurnWith(silenceResult(timing.silenceMs)),
    });
    try {
      return await ended;
    } finally {
      cancelSilence();
      cancelGrace();
      steering.clear();
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    onResult(result, facts) {
      if (goingOnAlone) return;
      const end = ending ?? turnResultOf(result, facts);
      if (!steering.hasMore()) return turns.end(end);
      // Claude goes on by itself with what it was told in between; a turn that has failed must not.
      if (end.kind === 'completed') return;
      goingOnAlone = true;
      ending = end;
      void terminate();
    },
    onLifecycle: (message) => steering.acceptLifecycle(message),
    onQuestion: (method, question) => endTurnWith({ kind: 'input_required', method, question }),
    runTurn: oneTurnAtATime(() => stopping !== null, drive),
    async steer(text) {
      if (turns.current() === null || ending !== null || !steering.canFollow()) return false;
      const id = randomUUID();
      const taken = steering.follow(id);
      connection.say(userMessage(id, text)).catch(() => void terminate());
      return taken;
    },
    stop() {
      ending ??= { kind: 'interrupted' };
      stopping ??= terminate().then(() => {
        turns.end({ kind: 'interrupted' });
        parts.close();
      });
      return stopping;
    },
  };
}

function exitResult(error: AppError | null): TurnResult {
  return { kind: 'failed', code: 'port_exit', message: error?.message ?? 'Claude has exited' };
}

function silenceResult(ms: number): TurnResult {
  const seconds = Math.round(ms / 1000);
  return {
    kind: 'timed_out',
    message: `Claude was silent for longer than claude.turn_timeout_ms (${seconds} s)`,
  };
}
