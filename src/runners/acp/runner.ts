import type { AcpConfig } from '../../config/config.ts';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { type McpServer, startMcpServer } from '../mcp/http-server.ts';
import { programOf } from '../program.ts';
import type { AgentSession, Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createToolDesk } from '../tool-desk.ts';
import { createTurnBook } from '../turn-book.ts';
import { type Connection, openConnection, RpcError } from './connection.ts';
import { approvedCodes, decidePermission } from './permissions.ts';
import { type Initialized, initializedSchema, PROTOCOL_VERSION, sessionOpenedSchema } from './protocol.ts';
import { type AcpSession, createSession } from './session.ts';
import { type Timing, timingOf } from './timing.ts';
import { createUpdates, type Updates } from './updates.ts';

export interface AcpRunnerOptions {
  readonly acp: AcpConfig;
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  readonly timing?: Partial<Timing>;
}

/** Drives any agent of the Agent Client Protocol over its standard input and output. */
export function createAcpRunner(options: AcpRunnerOptions): Runner {
  const timing = { ...timingOf(options.acp), ...options.timing };
  return { kind: 'acp', start: (input, signal) => new SessionStart(options, timing, input).run(signal) };
}

/** The start of one session. It joins the parts, which know each other only through it. */
class SessionStart {
  readonly #options: AcpRunnerOptions;
  readonly #timing: Timing;
  readonly #input: SessionInput;
  readonly #approved: ReadonlySet<string>;
  readonly #updates: Updates;
  #connection: Connection | null = null;
  #tools: McpServer | null = null;
  #session: AcpSession | null = null;
  #stage = 'launch';
  #open = false;
  #closed = false;

  constructor(options: AcpRunnerOptions, timing: Timing, input: SessionInput) {
    this.#options = options;
    this.#timing = timing;
    this.#input = input;
    this.#approved = approvedCodes(input.answer ?? null);
    this.#updates = createUpdates(systemClock, timing.pulseMs, (event) => this.#emit(event));
  }

  async run(signal: AbortSignal): Promise<AgentSession> {
    if (signal.aborted) throw startStopped(signal);
    const onAbort = (): void => void this.#end();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const connection = await this.#connect();
      if (signal.aborted) throw startStopped(signal);
      const opened = await this.#handshake(connection);
      return this.#begin(connection, opened);
    } catch (error) {
      await this.#end();
      if (signal.aborted) throw startStopped(signal);
      const problem = error instanceof AppError ? error : startFailed(this.#stage, error);
      this.#open = true;
      this.#emit({ type: 'startup_failed', stage: this.#stage, message: problem.message });
      this.#closed = true;
      throw problem;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #connect(): Promise<Connection> {
    const { environment, workspacePath } = this.#input;
    await makeTemporaryFolder(environment, workspacePath);
    const plain: Launch = { ...programOf(this.#options.acp.command, []), env: environment };
    const place = { workspacePath, stateFolders: [], variables: [] };
    const launch = (await this.#options.sandbox?.wrap(plain, place)) ?? plain;
    this.#connection = await openConnection(launch, this.#input, systemClock, {
      onRequest: (method, params) => this.#answer(method, params),
      onNotification: (method, params) => {
        if (this.#open && method === 'session/update') this.#updates.accept(params);
      },
      emit: (event) => this.#emit(event),
    });
    return this.#connection;
  }

  async #handshake(connection: Connection): Promise<{ sessionId: string; resumed: boolean }> {
    const { responseTimeoutMs } = this.#timing;
    this.#stage = 'initialize';
    const { agentCapabilities } = initializedSchema.parse(
      await connection.request(
        'initialize',
        {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        },
        responseTimeoutMs,
      ),
    );
    const place = { cwd: this.#input.workspacePath, mcpServers: await this.#offerTools(agentCapabilities) };
    const { resumeSessionId: sessionId, logger } = this.#input;
    if (sessionId !== null && agentCapabilities.loadSession) {
      this.#stage = 'session/load';
      try {
        await connection.request('session/load', { sessionId, ...place }, responseTimeoutMs);
        return { sessionId, resumed: true };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        logger.warn('the agent cannot resume the session; a new one is begun', { error: error.message });
      }
    }
    this.#stage = 'session/new';
    const opened = await connection.request('session/new', place, responseTimeoutMs);
    return { sessionId: sessionOpenedSchema.parse(opened).sessionId, resumed: false };
  }

  async #offerTools({ mcpCapabilities }: Initialized['agentCapabilities']): Promise<readonly object[]> {
    const { tools, logger } = this.#input;
    if (tools.length === 0) return [];
    if (!mcpCapabilities.http) {
      logger.warn('the agent takes no tools over HTTP; it cannot move or comment on its issue by itself');
      return [];
    }
    const emit = (event: AgentEvent): void => this.#emit(event);
    const answerTool = createToolDesk(this.#input, emit, systemClock, this.#timing.tools);
    this.#tools = await startMcpServer({ tools, answerTool });
    const headers = [{ name: 'Authorization', value: this.#tools.authorization }];
    return [{ type: 'http', name: 'aiops', url: this.#tools.url, headers }];
  }

  #begin(
    connection: Connection,
    { sessionId, resumed }: { sessionId: string; resumed: boolean },
  ): AgentSession {
    const emit = (event: AgentEvent): void => this.#emit(event);
    this.#open = true;
    emit({ type: 'session_started', sessionId, pid: connection.child.pid, model: null, resumed });
    this.#session = createSession({
      input: this.#input,
      timing: this.#timing,
      clock: systemClock,
      connection,
      turns: createTurnBook(emit),
      sessionId,
      emit,
      flush: () => this.#updates.flush(),
      close: async () => {
        this.#closed = true;
        await this.#tools?.close();
      },
    });
    return this.#session;
  }

  #answer(method: string, params: unknown): object | undefined {
    if (method !== 'session/request_permission') {
      this.#emit({ type: 'notification', name: `refused request: ${method.slice(0, 100)}` });
      return undefined;
    }
    const { reply, question } = decidePermission(params, this.#options.acp.permissions, this.#approved);
    if (question === null) this.#emit({ type: 'approval_auto_approved', method });
    else this.#session?.onQuestion(question);
    return reply;
  }

  async #end(): Promise<void> {
    await this.#connection?.child.terminate(this.#timing.stopGrace).catch((cause: unknown) => {
      this.#input.logger.error('the agent could not be ended', { error: messageOf(cause) });
    });
    await this.#tools?.close();
  }

  #emit(event: AgentEvent): void {
    if (this.#open && !this.#closed) this.#input.onEvent(event);
  }
}

function startStopped(signal: AbortSignal): AppError {
  return new AppError('agent_failed', 'The start of the agent was stopped.', { cause: signal.reason });
}

function startFailed(stage: string, error: unknown): AppError {
  return new AppError(
    'agent_failed',
    `The agent did not start (${stage}): ${messageOf(error).slice(0, 500)}`,
    {
      hint: 'Run the agent of acp.command by hand as the user of the worker, and sign in if it asks for that.',
      cause: error,
    },
  );
}
