import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ClaudeConfig } from '../../config/config.ts';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { approvedCodes } from '../approval-code.ts';
import { createMcpHandler } from '../mcp/handler.ts';
import { programOf } from '../program.ts';
import type { AgentSession, Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createToolDesk } from '../tool-desk.ts';
import { createTurnBook } from '../turn-book.ts';
import { isTextCommand, type SessionChoice, sessionArguments } from './command.ts';
import { type Connection, openConnection, UNKNOWN_CONVERSATION } from './connection.ts';
import { decidePermission, TOOL_SERVER } from './permissions.ts';
import { resultSchema } from './protocol.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { type ClaudeSession, createSession } from './session.ts';
import { openTextSession } from './text-session.ts';
import { type Timing, timingOf } from './timing.ts';

export interface ClaudeRunnerOptions {
  readonly claude: ClaudeConfig;
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  readonly timing?: Partial<Timing>;
}

/** Drives Claude Code as a program: one process and one conversation per session. */
export function createClaudeRunner(options: ClaudeRunnerOptions): Runner {
  const { claude, sandbox = null } = options;
  const timing = { ...timingOf(claude), ...options.timing };
  const launch = async (input: SessionInput, args: readonly string[]): Promise<Launch> => {
    const { environment, workspacePath } = input;
    await makeTemporaryFolder(environment, workspacePath);
    const plain: Launch = { ...programOf(claude.command, args), env: environment };
    const state = environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? workspacePath, '.claude');
    const place = { workspacePath, stateFolders: [state], variables: ['CLAUDE_CONFIG_DIR'] };
    return sandbox?.wrap(plain, place) ?? plain;
  };
  return {
    kind: 'claude',
    async start(input, signal) {
      if (signal.aborted) throw startStopped(signal);
      if (isTextCommand(claude.command)) return openTextSession(input, timing, () => launch(input, []));
      return new SessionStart(claude, timing, input, launch).run(signal);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The start of one session. It joins the parts, which know each other only through it. */
class SessionStart {
  readonly #claude: ClaudeConfig;
  readonly #timing: Timing;
  readonly #input: SessionInput;
  readonly #launch: (input: SessionInput, args: readonly string[]) => Promise<Launch>;
  readonly #onMcp: (message: unknown) => Promise<object | null>;
  readonly #approved: ReadonlySet<string>;
  #connection: Connection | null = null;
  #reporter: Reporter | null = null;
  #session: ClaudeSession | null = null;
  #open = false;
  #closed = false;

  constructor(
    claude: ClaudeConfig,
    timing: Timing,
    input: SessionInput,
    launch: (input: SessionInput, args: readonly string[]) => Promise<Launch>,
  ) {
    this.#claude = claude;
    this.#timing = timing;
    this.#input = input;
    this.#launch = launch;
    this.#approved = approvedCodes(input.answer ?? null);
    const answerTool = createToolDesk(input, (event) => this.#emit(event), systemClock, timing.tools);
    this.#onMcp = createMcpHandler({ tools: input.tools, answerTool });
  }

  async run(signal: AbortSignal): Promise<AgentSession> {
    const onAbort = (): void => void this.#end();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const { resumeSessionId } = this.#input;
      if (resumeSessionId !== null && (await this.#resume(resumeSessionId, signal))) {
        return this.#begin(resumeSessionId, true);
      }
      const sessionId = randomUUID();
      await this.#connect({ create: sessionId }, signal);
      return this.#begin(sessionId, false);
    } catch (error) {
      await this.#end();
      if (signal.aborted) throw startStopped(signal);
      const problem = error instanceof AppError ? error : startFailed(error);
      this.#open = true;
      this.#emit({ type: 'startup_failed', stage: 'initialize', message: problem.message });
      this.#closed = true;
      throw problem;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** False when Claude does not know the conversation any more. */
  async #resume(sessionId: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#connect({ resume: sessionId }, signal);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || !UNKNOWN_CONVERSATION.test(error.message)) throw error;
      await this.#end();
      this.#input.logger.warn('Claude does not know the conversation; a new one is begun', { sessionId });
      return false;
    }
  }

  async #connect(choice: SessionChoice, signal: AbortSignal): Promise<void> {
    const launch = await this.#launch(this.#input, sessionArguments(this.#claude, choice));
    this.#connection = await openConnection(launch, this.#input, systemClock, {
      onRequest: (request) => this.#answer(request),
      onMessage: (type, message) => this.#onMessage(type, message),
      onPulse: () => this.#reporter?.pulse(),
      emit: (event) => this.#emit(event),
    });
    // The start may have been stopped while the process was made.
    if (signal.aborted) throw startStopped(signal);
    const servers = this.#input.tools.length === 0 ? [] : [TOOL_SERVER];
    await this.#connection.request(
      { subtype: 'initialize', hooks: null, sdkMcpServers: servers },
      this.#timing.responseTimeoutMs,
    );
  }

  #begin(sessionId: string, resumed: boolean): AgentSession {
    const connection = this.#connection;
    if (connection === null) throw new Error('a session began before its connection');
    const { model } = this.#claude;
    const emit = (event: AgentEvent): void => this.#emit(event);
    this.#open = true;
    emit({ type: 'session_started', sessionId, pid: connection.child.pid, model, resumed });
    const { pulseMs } = this.#timing;
    this.#reporter = createReporter({ clock: systemClock, pulseMs, model, resumed, emit });
    this.#session = createSession({
      input: this.#input,
      timing: this.#timing,
      clock: systemClock,
      connection,
      turns: createTurnBook(emit),
      close: () => {
        this.#closed = true;
      },
    });
    return this.#session;
  }

  #onMessage(type: string, message: Fields): void {
    if (type !== 'result') {
      this.#reporter?.accept(type, message);
      return;
    }
    const result = resultSchema.safeParse(message).data;
    if (result === undefined || this.#reporter === null) return;
    if (result.terminal_reason === 'prompt_too_long') this.#leaveConversation();
    this.#session?.onResult(result, this.#reporter.acceptResult(result));
  }

  /** A full conversation would fail every later turn too: Claude does not know this id, so the next run begins a new one. */
  #leaveConversation(): void {
    const pid = this.#connection?.child.pid ?? null;
    this.#emit({
      type: 'session_started',
      sessionId: randomUUID(),
      pid,
      model: this.#claude.model,
      resumed: false,
    });
  }

  async #answer(request: Fields & { readonly subtype: string }): Promise<object> {
    if (request.subtype === 'mcp_message') {
      const response = await this.#onMcp(request['message']);
      // Claude waits for an answer even to a notification.
      return { mcp_response: response ?? { jsonrpc: '2.0', id: 0, result: {} } };
    }
    if (request.subtype !== 'can_use_tool') {
      this.#emit({ type: 'notification', name: `refused request: ${request.subtype.slice(0, 100)}` });
      throw new Error(`this client does not serve ${request.subtype.slice(0, 100)}`);
    }
    const { reply, question } = decidePermission(request, this.#approved);
    const tool = String(request['tool_name']).slice(0, 100);
    if (question === null) this.#emit({ type: 'approval_auto_approved', method: `can_use_tool/${tool}` });
    else this.#session?.onQuestion(`can_use_tool/${tool}`, question);
    return reply;
  }

  async #end(): Promise<void> {
    await this.#connection?.child.terminate(this.#timing.stopGrace).catch((cause: unknown) => {
      this.#input.logger.error('Claude could not be ended', { error: messageOf(cause) });
    });
  }

  #emit(event: AgentEvent): void {
    if (this.#open && !this.#closed) this.#input.onEvent(event);
  }
}

function startStopped(signal: AbortSignal): AppError {
  return new AppError('agent_failed', 'The start of Claude was stopped.', { cause: signal.reason });
}

function startFailed(error: unknown): AppError {
  return new AppError('agent_failed', `Claude did not start: ${messageOf(error)}`, {
    hint: 'Update Claude Code, and look at the log of the worker at debug level.',
    cause: error,
  });
}
