import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { approvedCodes } from '../approval-code.ts';
import { LIST_PRICES, type PriceTable } from '../prices.ts';
import type { AgentSession, Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Timing, timingOf } from '../timing.ts';
import { createToolDesk } from '../tool-desk.ts';
import { createTurnBook, type TurnBook } from '../turn-book.ts';
import { changedPaths } from './activity.ts';
import { programOf } from './command.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Notifications } from './generated/protocol.d.ts';
import { initialize, openThread } from './handshake.ts';
import {
  errorSchema,
  itemSchema,
  type ThreadOpened,
  threadStatusSchema,
  turnCompletedSchema,
  turnStartedSchema,
} from './protocol.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { createRequestDesk } from './request-desk.ts';
import { type CodexSession, createSession } from './session.ts';

export interface CodexRunnerOptions {
  readonly codex: Config['codex'];
  /** Around the whole process; null or left out when only Codex's own sandbox holds. */
  readonly sandbox?: Sandbox | null;
  readonly prices?: PriceTable;
  readonly timing?: Partial<Timing>;
}

/** Drives `codex app-server`: one process and one thread per session. */
export function createCodexRunner(options: CodexRunnerOptions): Runner {
  const { codex } = options;
  const timing = { ...timingOf(codex, codex.readTimeoutMs), ...options.timing };
  return {
    kind: 'codex-app-server',
    start: (input, signal) => new SessionStart(options, timing, input, systemClock).run(signal),
  };
}

const MAX_REMEMBERED_CHANGES = 20;

/** The start of one session. It joins the parts, which know each other only through it. */
class SessionStart {
  readonly #options: CodexRunnerOptions;
  readonly #timing: Timing;
  readonly #input: SessionInput;
  readonly #clock: Clock;
  readonly #turns: TurnBook;
  readonly #reporter: Reporter;
  /** Files of the changes the agent may ask about, by item. */
  readonly #changes = new Map<string, readonly string[]>();
  #session: CodexSession | null = null;
  #stage = 'launch';
  #open = false;
  #closed = false;
  #lostLines = false;

  constructor(options: CodexRunnerOptions, timing: Timing, input: SessionInput, clock: Clock) {
    this.#options = options;
    this.#timing = timing;
    this.#input = input;
    this.#clock = clock;
    this.#turns = createTurnBook((event) => this.#emit(event));
    this.#reporter = createReporter({
      clock,
      prices: { ...LIST_PRICES, ...options.prices },
      pulseMs: timing.pulseMs,
      emit: (event) => this.#emit(event),
      isOwnTurn: (turnId) => this.#turns.current()?.turnId === turnId,
    });
  }

  async run(signal: AbortSignal): Promise<AgentSession> {
    if (signal.aborted) throw startStopped(signal);
    let connection: Connection | null = null;
    try {
      connection = await this.#connect();
      const abort = untilAborted(signal);
      const { thread, resumed } = await Promise.race([this.#handshake(connection), abort.aborted]).finally(
        abort.forget,
      );
      return this.#begin(connection, thread, resumed);
    } catch (error) {
      await connection?.child.terminate(this.#timing.stopGrace).catch((cause: unknown) => {
        this.#input.logger.error('Codex could not be ended', { error: messageOf(cause) });
      });
      const problem = error instanceof AppError ? error : startFailed(this.#stage, error);
      if (!signal.aborted) {
        this.#open = true;
        this.#emit({ type: 'startup_failed', stage: this.#stage, message: problem.message });
      }
      this.#closed = true;
      throw problem;
    }
  }

  async #connect(): Promise<Connection> {
    const { codex } = this.#options;
    const launch = await this.#launch();
    let connection: Connection | null = null;
    const answerTool = createToolDesk(
      this.#input,
      (event) => this.#emit(event),
      this.#clock,
      this.#timing.tools,
    );
    const answerRequest = createRequestDesk({
      clock: this.#clock,
      facts: {
        policy: codex.approvalPolicy,
        approved: approvedCodes(this.#input.answer ?? null),
        changedFiles: (itemId) => this.#changes.get(itemId) ?? [],
      },
      rpc() {
        if (connection === null) throw new Error('a request came before the connection');
        return connection.rpc;
      },
      answerTool,
      emit: (event) => this.#emit(event),
      onQuestion: (method, question) => this.#session?.onQuestion(method, question),
    });
    connection = await openConnection(launch, this.#input, this.#clock, {
      onRequest: answerRequest,
      // It may be any other; what it is compared with are methods of the protocol.
      onNotification: (method, params) => this.#onNotification(method as keyof Notifications, params),
      onPulse: (method) => this.#open && this.#reporter.pulse(method),
      onLost: () => {
        this.#lostLines = true;
        this.#session?.checkLostEnd();
      },
      onMalformed: (bytes) => this.#reporter.malformed(bytes),
    });
    return connection;
  }

  async #launch(): Promise<Launch> {
    const { environment, workspacePath, borrowedFolders } = this.#input;
    await makeTemporaryFolder(environment, workspacePath);
    const plain: Launch = { ...programOf(this.#options.codex.command), env: environment };
    const home = environment['CODEX_HOME'] ?? join(environment['HOME'] ?? workspacePath, '.codex');
    const place = { workspacePath, borrowedFolders, stateFolders: [home], variables: ['CODEX_HOME'] };
    return this.#options.sandbox?.wrap(plain, place) ?? plain;
  }

  async #handshake({ rpc }: Connection): Promise<{ thread: ThreadOpened; resumed: boolean }> {
    const { responseTimeoutMs } = this.#timing;
    this.#stage = 'initialize';
    await initialize(rpc, responseTimeoutMs, this.#input.logger);
    this.#stage = this.#input.resumeSessionId === null ? 'thread/start' : 'thread/resume';
    const { opened, resumed } = await openThread(rpc, this.#input, this.#options.codex, responseTimeoutMs);
    return { thread: opened, resumed };
  }

  #begin(connection: Connection, thread: ThreadOpened, resumed: boolean): AgentSession {
    const announce = (opened: ThreadOpened, again: boolean): void => {
      this.#reporter.setModel(opened.model);
      const { pid } = connection.child;
      this.#emit({
        type: 'session_started',
        sessionId: opened.thread.id,
        pid,
        model: opened.model,
        resumed: again,
      });
    };
    this.#open = true;
    announce(thread, resumed);
    this.#session = createSession({
      input: this.#input,
      codex: this.#options.codex,
      outerSandbox: this.#options.sandbox ?? null,
      timing: this.#timing,
      clock: this.#clock,
      connection,
      turns: this.#turns,
      thread,
      announce,
      close: () => {
        this.#closed = true;
        this.#input.logger.debug('codex notifications that told nothing', {
          counts: this.#reporter.counts(),
        });
      },
    });
    return this.#session;
  }

  #onNotification(method: keyof Notifications, params: unknown): boolean {
    if (!this.#open) return true;
    if (method === 'turn/completed') {
      const completed = turnCompletedSchema.safeParse(params).data;
      this.#reporter.flush();
      if (completed !== undefined) this.#session?.onTurnCompleted(completed.threadId, completed.turn);
      return true;
    }
    if (method === 'turn/started') {
      const begun = turnStartedSchema.safeParse(params).data;
      if (begun !== undefined) this.#session?.onTurnStarted(begun.threadId, begun.turn.id);
    }
    if (method === 'thread/status/changed' && this.#lostLines) this.#checkLostEnd(params);
    if (method === 'item/started') this.#rememberChange(params);
    this.#reporter.accept(method, params);
    // Without a network Codex says so for ever, every few seconds.
    return method !== 'error' || errorSchema.safeParse(params).data?.willRetry !== true;
  }

  #checkLostEnd(params: unknown): void {
    const changed = threadStatusSchema.safeParse(params).data;
    const rests = changed?.status.type !== 'active' && changed?.threadId === this.#session?.threadId();
    if (rests) this.#session?.checkLostEnd();
  }

  #rememberChange(params: unknown): void {
    const item = itemSchema.safeParse(params).data?.item;
    if (item?.type !== 'fileChange') return;
    this.#changes.set(item.id, changedPaths(item).slice(0, MAX_REMEMBERED_CHANGES));
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_REMEMBERED_CHANGES && oldest !== undefined) this.#changes.delete(oldest);
  }

  #emit(event: Parameters<SessionInput['onEvent']>[0]): void {
    if (this.#open && !this.#closed) this.#input.onEvent(event);
  }
}

function untilAborted(signal: AbortSignal): { aborted: Promise<never>; forget(): void } {
  let forget = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(startStopped(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    forget = () => signal.removeEventListener('abort', onAbort);
  });
  return { aborted, forget: () => forget() };
}

function startStopped(signal: AbortSignal): AppError {
  return new AppError('agent_failed', 'The start of Codex was stopped.', { cause: signal.reason });
}

function startFailed(stage: string, cause: unknown): AppError {
  return new AppError('agent_failed', `Codex could not open a session: ${messageOf(cause).slice(0, 500)}`, {
    hint: `Check the codex settings in WORKFLOW.md and the version of Codex (aiops doctor); it failed at ${stage}.`,
    cause,
  });
}
