import { randomUUID } from 'node:crypto';
import type { ClaudeConfig } from '../../config/config.ts';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { approvedCodes } from '../approval-code.ts';
import { createMcpHandler } from '../mcp/handler.ts';
import type { AgentSession, SessionInput } from '../runner.ts';
import type { Timing } from '../timing.ts';
import { createToolDesk } from '../tool-desk.ts';
import { createTurnBook } from '../turn-book.ts';
import type { SessionChoice } from './command.ts';
import type { Connection, ConnectionHandlers, Fields } from './connection.ts';
import { decidePermission, type Grants, ownToolName } from './permissions.ts';
import { UNKNOWN_CONVERSATION } from './process.ts';
import { permissionSchema, resultSchema } from './protocol.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { type ClaudeSession, createSession } from './session.ts';

/** Starts Claude and connects to it, on a new conversation or an old one. */
export type Connect = (choice: SessionChoice, handlers: ConnectionHandlers) => Promise<Connection>;

export interface SessionSettings extends ClaudeConfig {
  /** The workflow's own checks, which Claude may always run. */
  readonly verifyCommands: readonly string[];
}

/** The start of one session. It joins the parts, which know each other only through it. */
export class SessionStart {
  readonly #claude: SessionSettings;
  readonly #timing: Timing;
  readonly #input: SessionInput;
  readonly #open: Connect;
  readonly #handlers: ConnectionHandlers;
  readonly #grants: Grants;
  #connection: Connection | null = null;
  #reporter: Reporter | null = null;
  #session: ClaudeSession | null = null;
  #begun = false;
  #closed = false;

  constructor(claude: SessionSettings, timing: Timing, input: SessionInput, open: Connect) {
    this.#claude = claude;
    this.#timing = timing;
    this.#input = input;
    this.#open = open;
    this.#grants = {
      approved: approvedCodes(input.answer ?? null),
      ownTools: new Set(input.tools.map(({ name }) => ownToolName(name))),
      verifyCommands: claude.verifyCommands,
    };
    const emit = (event: AgentEvent): void => this.#emit(event);
    const answerTool = createToolDesk(input, emit, systemClock, timing.tools);
    this.#handlers = {
      onPermission: (request) => this.#decide(request),
      onMcp: createMcpHandler({ tools: input.tools, answerTool }),
      onMessage: (type, message) => this.#onMessage(type, message),
      onPulse: () => this.#reporter?.pulse(),
      onMalformed: (bytes) => this.#reporter?.malformed(bytes),
      emit,
    };
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
      this.#begun = true;
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
    this.#connection = await this.#open(choice, this.#handlers);
    // The start may have been stopped while the process was made.
    if (signal.aborted) throw startStopped(signal);
    await this.#connection.initialize(this.#timing.responseTimeoutMs);
  }

  #begin(sessionId: string, resumed: boolean): AgentSession {
    const connection = this.#connection;
    if (connection === null) throw new Error('a session began before its connection');
    const { model } = this.#claude;
    const emit = (event: AgentEvent): void => this.#emit(event);
    this.#begun = true;
    emit({ type: 'session_started', sessionId, pid: connection.child.pid, model, resumed });
    const { pulseMs } = this.#timing;
    const reporter = createReporter({ clock: systemClock, pulseMs, model, resumed, emit });
    this.#reporter = reporter;
    this.#session = createSession({
      input: this.#input,
      timing: this.#timing,
      clock: systemClock,
      connection,
      turns: createTurnBook((event) => {
        if (event.type !== 'turn_started') reporter.flush();
        emit(event);
      }),
      close: () => {
        this.#closed = true;
      },
    });
    return this.#session;
  }

  #onMessage(type: string, message: Fields): void {
    if (type === 'command_lifecycle') this.#session?.onLifecycle(message);
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
    const { model } = this.#claude;
    this.#emit({ type: 'session_started', sessionId: randomUUID(), pid, model, resumed: false });
  }

  #decide(request: unknown): object {
    const { reply, question } = decidePermission(request, this.#grants);
    const tool = permissionSchema.safeParse(request).data?.tool_name.slice(0, 100) ?? '';
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
    if (this.#begun && !this.#closed) this.#input.onEvent(event);
  }
}

export function startStopped(signal: AbortSignal): AppError {
  return new AppError('agent_failed', 'The start of Claude was stopped.', { cause: signal.reason });
}

function startFailed(error: unknown): AppError {
  return new AppError('agent_failed', `Claude did not start: ${messageOf(error)}`, {
    hint: 'Update Claude Code, and look at the log of the worker at debug level.',
    cause: error,
  });
}
