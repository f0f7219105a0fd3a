import { systemClock } from '../../domain/clock.ts';
import { type AppError, messageOf } from '../../errors/app-error.ts';
import type { TerminateGrace } from '../../process/children/child.ts';
import type { AgentProcess } from '../agent-process.ts';
import { oneTurnAtATime } from '../one-turn-at-a-time.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { Exchange } from './exchange.ts';
import type { RunnerMessage } from './messages.ts';

export interface Timing {
  /** How long the agent may take to open its session. */
  readonly responseTimeoutMs: number;
  /** How long an interrupted turn may take to end by itself before the process is ended. */
  readonly interruptGraceMs: number;
  readonly stopGrace: TerminateGrace;
}

export interface SessionParts extends AgentProcess {
  readonly input: SessionInput;
  readonly timing: Timing;
  readonly exchange: Exchange;
  /** Why no turn can be run, when the script is invalid. */
  readonly scriptError: string | null;
  send(message: RunnerMessage): Promise<void>;
}

export function createSession(parts: SessionParts): AgentSession {
  const { child, exchange, timing } = parts;
  const logger = parts.input.logger;
  let turn = 0;
  let ending = false;
  let stopping: Promise<void> | null = null;

  const terminate = (): Promise<void> =>
    child.terminate(timing.stopGrace).catch((error: unknown) => {
      logger.error('the mock agent could not be ended', { error: messageOf(error) });
    });

  void parts.gone.then((error) => exchange.endTurn(ending ? { kind: 'interrupted' } : exitResult(error)));

  /** Asks first; an agent that does not answer is ended with its whole process tree. */
  const interrupt = (): (() => void) => {
    ending = true;
    parts.send({ type: 'interrupt' }).catch(() => {});
    return systemClock.setTimer(timing.interruptGraceMs, () => {
      void terminate().then(() => exchange.endTurn({ kind: 'interrupted' }));
    });
  };

  const drive = async (prompt: string, signal: AbortSignal): Promise<TurnResult> => {
    turn += 1;
    ending = false;
    const result = exchange.beginTurn(turn);
    const exited = parts.exitError();
    if (parts.scriptError !== null) {
      exchange.endTurn({ kind: 'failed', code: 'turn_failed', message: parts.scriptError });
    } else if (exited !== null) {
      exchange.endTurn(exitResult(exited));
    } else {
      // An agent that does not read its input is of no more use; its exit ends the turn.
      parts.send({ type: 'turn', turn, prompt }).catch(() => void terminate());
    }
    let settle = (): void => {};
    const onAbort = (): void => {
      settle = interrupt();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await result;
    } finally {
      signal.removeEventListener('abort', onAbort);
      settle();
    }
  };

  return {
    runTurn: oneTurnAtATime(() => stopping !== null, drive),
    steer: null,
    stop() {
      ending = true;
      stopping ??= terminate().then(() => exchange.close());
      return stopping;
    },
  };
}

function exitResult(error: AppError): TurnResult {
  return { kind: 'failed', code: 'port_exit', message: error.message };
}
