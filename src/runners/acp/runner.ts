import type { McpServer as OfferedServer, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AcpConfig } from '../../config/config.ts';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { approvedCodes } from '../approval-code.ts';
import { type McpServer, startMcpServer } from '../mcp/http-server.ts';
import { programOf } from '../program.ts';
import type { AgentSession, Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createToolDesk } from '../tool-desk.ts';
import { createTurnBook } from '../turn-book.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Opened, openAgentSession } from './handshake.ts';
import { decidePermission, TOOL_SERVER } from './permissions.ts';
import type { Initialized } from './protocol.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { type AcpSession, createSession } from './session.ts';
import { type Timing, timingOf } from './timing.ts';

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
  #connection: Connection | null = null;
  #tools: McpServer | null = null;
  #reporter: Reporter | null = null;
  #session: AcpSession | null = null;
  #stage = 'launch';
  #open = false;
  #closed = false;

  constructor(options: AcpRunnerOptions, timing: Timing, input: SessionInput) {
    this.#options = options;
    this.#timing = timing;
    this.#input = input;
    this.#approved = approvedCodes(input.answer ?? null);
  }

  async run(signal: AbortSignal): Promise<AgentSession> {
    if (signal.aborted) throw startStopped(signal);
    const onAbort = (): void => void this.#end();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const connection = await this.#connect();
      if (signal.aborted) throw startStopped(signal);
      const opened = await openAgentSession(connection, {
        input: this.#input,
        timeoutMs: this.#timing.responseTimeoutMs,
        onStage: (method) => {
          this.#stage = method;
        },
        offerTools: (agent) => this.#offerTools(agent),
      });
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
    const { environment, workspacePath, borrowedFolders } = this.#input;
    await makeTemporaryFolder(environment, workspacePath);
    const plain: Launch = { ...programOf(this.#options.acp.command, []), env: environment };
    const place = {
      workspacePath,
      borrowedFolders,
      stateFolders: this.#options.acp.stateFolders,
      variables: [],
    };
    const launch = (await this.#options.sandbox?.wrap(plain, place)) ?? plain;
    this.#connection = await openConnection(launch, this.#input, systemClock, {
      onPermission: (params) => this.#answerPermission(params),
      // What is told before the session is open is a conversation of the past.
      onUpdate: (params) => this.#reporter?.acceptUpdate(params),
      onRefused: (method) => this.#reporter?.refused(method),
      onMalformed: (bytes) => this.#reporter?.malformed(bytes),
    });
    return this.#connection;
  }

  async #offerTools({ mcpCapabilities }: Initialized['agentCapabilities']): Promise<OfferedServer[]> {
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
    return [{ type: 'http', name: TOOL_SERVER, url: this.#tools.url, headers }];
  }

  #begin(connection: Connection, { sessionId, resumed, model }: Opened): AgentSession {
    const emit = (event: AgentEvent): void => this.#emit(event);
    const clock = systemClock;
    this.#open = true;
    emit({ type: 'session_started', sessionId, pid: connection.child.pid, model, resumed });
    this.#reporter = createReporter({ clock, timing: this.#timing, sessionId, resumed, emit });
    this.#session = createSession({
      input: this.#input,
      timing: this.#timing,
      clock,
      connection,
      turns: createTurnBook(emit),
      reporter: this.#reporter,
      sessionId,
      close: async () => {
        this.#closed = true;
        await this.#tools?.close();
      },
    });
    return this.#session;
  }

  #answerPermission(params: unknown): RequestPermissionResponse {
    const { reply, granted, question } = decidePermission(params, {
      mode: this.#options.acp.permissions,
      approved: this.#approved,
      tools: this.#input.tools.map(({ name }) => name),
    });
    if (granted !== null) {
      this.#emit({ type: 'approval_auto_approved', method: 'session/request_permission' });
      this.#reporter?.granted(granted);
    }
    if (question !== null) this.#session?.onQuestion(question);
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
