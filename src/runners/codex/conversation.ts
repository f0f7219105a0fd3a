import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Conversation } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { approvedCodes } from '../tools/approval-code.ts';
import { type Connection, openConnection } from './connection.ts';
import { FileChanges } from './file-changes.ts';
import type { ClientParams, Notifications, UserInput } from './generated/protocol.d.ts';
import { initialize, openThread, startThread, wirePolicy } from './handshake.ts';
import { LIST_PRICES } from './list-prices.ts';
import { turnSandboxPolicy } from './policies.ts';
import {
  errorSchema,
  type ThreadOpened,
  type TurnEnd,
  threadStatusSchema,
  turnBegunSchema,
  turnCompletedSchema,
  turnStartedSchema,
  turnsListedSchema,
} from './protocol.ts';
import { Reporter } from './reporter.ts';
import type { CodexRunnerOptions } from './runner.ts';
import { answerRequest } from './server-requests.ts';
import { isContextOverflow, resultOfError } from './turn-error.ts';

const LOST_END_GRACE_MS = 1_000;
const MAX_MESSAGE = 500;

/** The conversation with one `codex app-server`, on one thread at a time. */
export class CodexConversation implements Conversation {
  readonly namesTurns = true;
  readonly #session: Session;
  readonly #options: CodexRunnerOptions;
  readonly #reporter: Reporter;
  readonly #changes = new FileChanges();
  #opened: { readonly connection: Connection; thread: ThreadOpened } | null = null;
  #hasLostLines = false;

  constructor(session: Session, options: CodexRunnerOptions) {
    this.#session = session;
    this.#options = options;
    this.#reporter = new Reporter({
      reports: session.reports,
      prices: { ...LIST_PRICES.models, ...options.prices },
      isOwnTurn: (turnId) => session.turnId === turnId,
    });
    session.onClose(() => {
      const counts = this.#reporter.counts();
      session.input.logger.debug('codex notifications that told nothing', { counts });
    });
  }

  async open(launch: Launch): Promise<this> {
    const session = this.#session;
    const { input, timing } = session;
    const facts = {
      policy: this.#options.codex.approvalPolicy,
      approved: approvedCodes(input.answer ?? null),
      changedFiles: (itemId: string) => this.#changes.of(itemId),
    };
    const connection = await openConnection(session, launch, {
      onRequest: (rpc, request) => answerRequest(session, facts, rpc, request),
      // It may be any other; what it is compared with are methods of the protocol.
      onNotification: (method, params) => this.#onNotification(method as keyof Notifications, params),
      onPulse: (method) => session.isOpen && this.#reporter.pulse(method),
      onLost: () => {
        this.#hasLostLines = true;
        this.#checkLostEnd();
      },
    });
    session.stage = 'initialize';
    await initialize(connection.rpc, timing.responseTimeoutMs, input.logger);
    session.stage = input.resumeSessionId === null ? 'thread/start' : 'thread/resume';
    const { opened, resumed } = await openThread(
      connection.rpc,
      input,
      this.#options.codex,
      timing.responseTimeoutMs,
    );
    this.#opened = { connection, thread: opened };
    this.#announce(opened, resumed);
    return this;
  }

  get ended(): Promise<unknown> | null {
    return this.#opened?.connection.gone ?? null;
  }

  startTurn(prompt: string, turn: number): void {
    void this.#begin(prompt, turn);
  }

  interrupt(): void {
    const { turnId } = this.#session;
    if (turnId !== null)
      this.#request('turn/interrupt', { threadId: this.#threadId(), turnId }).catch(() => {});
  }

  readonly steer = async (text: string): Promise<boolean> => {
    const { turnId } = this.#session;
    if (turnId === null) return false;
    const params = { threadId: this.#threadId(), expectedTurnId: turnId, input: [inputOf(text)] };
    return this.#request('turn/steer', params).then(
      () => true,
      () => false,
    );
  };

  async #begin(prompt: string, turn: number): Promise<void> {
    const session = this.#session;
    const { codex, sandbox = null } = this.#options;
    const { workspacePath } = session.input;
    try {
      const answer = await this.#request('turn/start', {
        threadId: this.#threadId(),
        input: [inputOf(prompt)],
        cwd: workspacePath,
        approvalPolicy: wirePolicy(codex.approvalPolicy),
        sandboxPolicy: turnSandboxPolicy({
          codex,
          outerSandbox: sandbox,
          threadPolicy: this.#opened?.thread.sandbox ?? null,
          gitDirectory: await gitDirectoryOf(workspacePath),
        }),
      });
      const { id } = turnBegunSchema.parse(answer).turn;
      // The end of a short turn, and another one's beginning, may overtake the answer.
      if (session.turn !== turn) return;
      session.turnStarted(id);
      if (session.ending !== null) this.interrupt();
    } catch (error) {
      if (this.#opened?.connection.exitError() !== null) return;
      const timedOut = error instanceof AppError && error.code === 'response_timeout';
      // A turn that may have begun without our knowing must not go on.
      if (timedOut) await session.terminate();
      const code = timedOut ? 'response_timeout' : 'turn_failed';
      if (session.turn === turn)
        session.endTurn({ kind: 'failed', code, message: messageOf(error).slice(0, MAX_MESSAGE) });
    }
  }

  async #finish(end: TurnEnd): Promise<void> {
    const session = this.#session;
    session.agentEndedTurn();
    const result = session.ending ?? resultOf(end);
    if (result.kind !== 'completed') {
      // Commands outlive an interrupted turn as background terminals. A stop does not wait for a deaf server.
      const patienceMs = Math.min(session.timing.interruptGraceMs, session.timing.responseTimeoutMs);
      const params = { threadId: this.#threadId() };
      await this.#request('thread/backgroundTerminals/clean', params, patienceMs).catch(() => {});
    }
    if (session.ending === null && isContextOverflow(end.error)) await this.#replaceThread();
    if (session.turnId === end.id) session.endTurn(result);
  }

  /** A full conversation would fail every later turn too: the next run starts from an empty one. */
  async #replaceThread(): Promise<void> {
    const { input, timing } = this.#session;
    if (this.#opened === null) return;
    try {
      const { rpc } = this.#opened.connection;
      this.#opened.thread = await startThread(rpc, input, this.#options.codex, timing.responseTimeoutMs);
      this.#announce(this.#opened.thread, false);
    } catch (error) {
      input.logger.warn('no new Codex thread could be started', { error: messageOf(error) });
    }
  }

  #announce({ thread, model }: ThreadOpened, resumed: boolean): void {
    this.#reporter.setModel(model);
    this.#session.announce({ sessionId: thread.id, model, resumed });
  }

  #onNotification(method: keyof Notifications, params: unknown): boolean {
    if (!this.#session.isOpen) return true;
    if (method === 'turn/completed') {
      this.#onTurnCompleted(params);
      return true;
    }
    if (method === 'turn/started') {
      const begun = turnStartedSchema.safeParse(params).data;
      if (begun?.threadId === this.#threadId()) this.#session.turnStarted(begun.turn.id);
    }
    if (method === 'thread/status/changed' && this.#hasLostLines) {
      const changed = threadStatusSchema.safeParse(params).data;
      const rests = changed?.status.type !== 'active' && changed?.threadId === this.#threadId();
      if (rests) this.#checkLostEnd();
    }
    if (method === 'item/started') this.#changes.remember(params);
    this.#reporter.accept(method, params);
    // Without a network Codex says so for ever, every few seconds.
    return method !== 'error' || errorSchema.safeParse(params).data?.willRetry !== true;
  }

  #onTurnCompleted(params: unknown): void {
    const completed = turnCompletedSchema.safeParse(params).data;
    if (completed === undefined || completed.threadId !== this.#threadId()) return;
    this.#session.turnStarted(completed.turn.id);
    if (this.#session.turnId === completed.turn.id) void this.#finish(completed.turn);
  }

  /** A line was lost: perhaps it was the one that ended the turn, so the server is asked. */
  #checkLostEnd(): void {
    const session = this.#session;
    const { turnId } = session;
    session.clock.setTimer(LOST_END_GRACE_MS, () => {
      if (turnId === null || session.turnId !== turnId) return;
      this.#request('thread/turns/list', { threadId: this.#threadId(), limit: 5, itemsView: 'notLoaded' })
        .then((answer) => {
          const end = turnsListedSchema.parse(answer).data.find(({ id }) => id === turnId);
          const over = end !== undefined && end.status !== 'inProgress';
          if (over && session.turnId === turnId) void this.#finish(end);
        })
        .catch(() => {});
    });
  }

  #threadId(): string {
    return this.#opened?.thread.thread.id ?? '';
  }

  async #request<M extends keyof ClientParams>(
    method: M,
    params: ClientParams[M],
    timeoutMs = this.#session.timing.responseTimeoutMs,
  ): Promise<unknown> {
    if (this.#opened === null) throw new Error(`${method} came before the connection`);
    return this.#opened.connection.rpc.request(method, params, timeoutMs);
  }
}

function inputOf(text: string): UserInput {
  return { type: 'text', text, text_elements: [] };
}

function resultOf({ status, error }: TurnEnd): TurnResult {
  if (status === 'completed') return { kind: 'completed' };
  return status === 'interrupted' ? { kind: 'interrupted' } : resultOfError(error);
}

/** A git directory outside of the workspace (a linked worktree) is not opened to the agent. */
async function gitDirectoryOf(workspacePath: string): Promise<string | null> {
  const path = join(workspacePath, '.git');
  const found = await lstat(path).catch(() => null);
  return found?.isDirectory() === true ? path : null;
}
