import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { oneTurnAtATime } from '../one-turn-at-a-time.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { watchSilence } from '../silence-watch.ts';
import type { Timing } from '../timing.ts';
import type { TurnBook } from '../turn-book.ts';
import type { Connection } from './connection.ts';
import type { ClientParams, UserInput } from './generated/protocol.d.ts';
import { startThread, wirePolicy } from './handshake.ts';
import { turnSandboxPolicy } from './policies.ts';
import { type ThreadOpened, type TurnEnd, turnBegunSchema, turnsListedSchema } from './protocol.ts';
import { isContextOverflow, resultOfError } from './turn-error.ts';

export interface SessionParts {
  readonly input: SessionInput;
  readonly codex: Config['codex'];
  /** The sandbox the whole process is in. */
  readonly outerSandbox: Pick<Sandbox, 'network'> | null;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly turns: TurnBook;
  readonly thread: ThreadOpened;
  announce(thread: ThreadOpened, resumed: boolean): void;
  /** Nothing is reported after this. */
  close(): void;
}

/** A session and what its connection tells it. */
export interface CodexSession extends AgentSession {
  threadId(): string;
  onTurnStarted(threadId: string, turnId: string): void;
  onTurnCompleted(threadId: string, end: TurnEnd): void;
  onQuestion(method: string, question: string): void;
  /** A line was lost: perhaps it was the one that ended the turn, so the server is asked. */
  checkLostEnd(): void;
}

const LOST_END_GRACE_MS = 1_000;

export function createSession(parts: SessionParts): CodexSession {
  const { input, timing, clock, connection, turns } = parts;
  const { child, rpc } = connection;
  let thread = parts.thread;
  let stopping: Promise<void> | null = null;
  /** What the current turn ends with, once this side has decided to end it. */
  let ending: TurnResult | null = null;
  let cancelGrace = (): void => {};

  const threadId = (): string => thread.thread.id;

  const request = <M extends keyof ClientParams>(method: M, params: ClientParams[M]): Promise<unknown> =>
    rpc.request(method, params, timing.responseTimeoutMs);

  const terminate = (): Promise<void> =>
    child.terminate(timing.stopGrace).catch((error: unknown) => {
      input.logger.error('Codex could not be ended', { error: messageOf(error) });
    });

  const sendInterrupt = (): void => {
    const turnId = turns.current()?.turnId ?? null;
    if (turnId !== null) request('turn/interrupt', { threadId: threadId(), turnId }).catch(() => {});
  };

  /** Asks first; an app-server that does not end the turn is ended with its whole process tree. */
  const endTurnWith = (result: TurnResult): void => {
    if (ending !== null || turns.current() === null) return;
    ending = result;
    sendInterrupt();
    cancelGrace = clock.setTimer(timing.interruptGraceMs, () => {
      void terminate().then(() => turns.end(result));
    });
  };

  const begin = async (prompt: string): Promise<void> => {
    const params: ClientParams['turn/start'] = {
      threadId: threadId(),
      input: [inputOf(prompt)],
      cwd: input.workspacePath,
      approvalPolicy: wirePolicy(parts.codex.approvalPolicy),
      sandboxPolicy: turnSandboxPolicy({
        codex: parts.codex,
        outerSandbox: parts.outerSandbox,
        threadPolicy: thread.sandbox ?? null,
        gitDirectory: await gitDirectoryOf(input.workspacePath),
      }),
    };
    try {
      const { turn } = turnBegunSchema.parse(await request('turn/start', params));
      turns.started(turn.id);
      if (ending !== null) sendInterrupt();
    } catch (error) {
      if (connection.exitError() !== null) return;
      const timedOut = error instanceof AppError && error.code === 'response_timeout';
      // A turn that may have begun without our knowing must not go on.
      if (timedOut) await terminate();
      const code = timedOut ? 'response_timeout' : 'turn_failed';
      turns.end(ending ?? { kind: 'failed', code, message: messageOf(error).slice(0, 500) });
    }
  };

  const finish = async (end: TurnEnd): Promise<void> => {
    cancelGrace();
    const result = ending ?? resultOf(end);
    if (result.kind !== 'completed') {
      // Commands outlive an interrupted turn as background terminals. A stop does not wait for a deaf server.
      const params = { threadId: threadId() };
      const patienceMs = Math.min(timing.interruptGraceMs, timing.responseTimeoutMs);
      await rpc.request('thread/backgroundTerminals/clean', params, patienceMs).catch(() => {});
    }
    if (ending === null && isContextOverflow(end.error)) await replaceThread();
    if (turns.current()?.turnId === end.id) turns.end(result);
  };

  /** A full conversation would fail every later turn too: the next run starts from an empty one. */
  const replaceThread = async (): Promise<void> => {
    try {
      thread = await startThread(rpc, input, parts.codex, timing.responseTimeoutMs);
      parts.announce(thread, false);
    } catch (error) {
      input.logger.warn('no new Codex thread could be started', { error: messageOf(error) });
    }
  };

  void child.exited.then(() => {
    cancelGrace();
    turns.end(ending ?? exitResult(connection.exitError()));
  });

  const drive = async (prompt: string, signal: AbortSignal): Promise<TurnResult> => {
    ending = null;
    const ended = turns.begin();
    const exit = connection.exitError();
    if (exit !== null) turns.end(exitResult(exit));
    else void begin(prompt);
    const onAbort = (): void => endTurnWith({ kind: 'interrupted' });
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelSilence = watchSilence({
      clock,
      silenceMs: timing.silenceMs,
      heardAt: connection.heardAt,
      onSilent: () => endTurnWith(silenceResult(timing.silenceMs)),
    });
    try {
      return await ended;
    } finally {
      cancelSilence();
      cancelGrace();
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    threadId,
    onTurnStarted(startedIn, turnId) {
      if (startedIn === threadId()) turns.started(turnId);
    },
    onTurnCompleted(completedIn, end) {
      if (completedIn !== threadId()) return;
      turns.started(end.id);
      if (turns.current()?.turnId === end.id) void finish(end);
    },
    onQuestion: (method, question) => endTurnWith({ kind: 'input_required', method, question }),
    checkLostEnd() {
      const { turnId } = turns.current() ?? { turnId: null };
      clock.setTimer(LOST_END_GRACE_MS, () => {
        if (turnId === null || turns.current()?.turnId !== turnId) return;
        request('thread/turns/list', { threadId: threadId(), limit: 5, itemsView: 'notLoaded' })
          .then((answer) => {
            const end = turnsListedSchema.parse(answer).data.find(({ id }) => id === turnId);
            const over = end !== undefined && end.status !== 'inProgress';
            if (over && turns.current()?.turnId === turnId) void finish(end);
          })
          .catch(() => {});
      });
    },
    runTurn: oneTurnAtATime(() => stopping !== null, drive),
    async steer(text) {
      const turnId = turns.current()?.turnId ?? null;
      if (turnId === null || ending !== null) return false;
      const said = [inputOf(text)];
      return request('turn/steer', { threadId: threadId(), expectedTurnId: turnId, input: said }).then(
        () => true,
        () => false,
      );
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

function inputOf(text: string): UserInput {
  return { type: 'text', text, text_elements: [] };
}

function resultOf({ status, error }: TurnEnd): TurnResult {
  if (status === 'completed') return { kind: 'completed' };
  return status === 'interrupted' ? { kind: 'interrupted' } : resultOfError(error);
}

function exitResult(error: AppError | null): TurnResult {
  return { kind: 'failed', code: 'port_exit', message: error?.message ?? 'Codex has exited' };
}

function silenceResult(ms: number): TurnResult {
  const message = `Codex was silent for longer than codex.turn_timeout_ms (${Math.round(ms / 1000)} s)`;
  return { kind: 'timed_out', message };
}

/** A git directory outside of the workspace (a linked worktree) is not opened to the agent. */
async function gitDirectoryOf(workspacePath: string): Promise<string | null> {
  const path = join(workspacePath, '.git');
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true ? path : null;
}
