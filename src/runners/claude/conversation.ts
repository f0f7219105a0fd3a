import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import type { TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Conversation } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { approvedCodes } from '../tools/approval-code.ts';
import { createMcpHandler } from '../tools/mcp-handler.ts';
import type { SessionChoice } from './command.ts';
import { Connection, type Fields } from './connection.ts';
import { decidePermission, type Grants, ownToolName } from './permissions.ts';
import { UNKNOWN_CONVERSATION } from './process.ts';
import { permissionSchema, type ResultMessage, resultSchema } from './protocol.ts';
import { Reporter } from './reporter.ts';
import { createSteering } from './steering.ts';
import { turnResultOf } from './turn-result.ts';

export interface ConversationOptions {
  readonly model: string | null;
  /** The workflow's own checks, which Claude may always run. */
  readonly verifyCommands: readonly string[];
  /** How Claude is started, on a new conversation or an old one. */
  launch(choice: SessionChoice): Promise<Launch>;
}

/** The conversation with one Claude. */
export class ClaudeConversation implements Conversation {
  readonly #session: Session;
  readonly #options: ConversationOptions;
  readonly #grants: Grants;
  readonly #steering = createSteering();
  #connection: Connection;
  /** Null until the session is open. */
  #reporter: Reporter | null = null;
  /** Claude works on something that nobody waits for, and is being ended. */
  #goingOnAlone = false;

  constructor(session: Session, options: ConversationOptions) {
    const { input, answerTool } = session;
    this.#session = session;
    this.#options = options;
    this.#grants = {
      approved: approvedCodes(input.answer ?? null),
      ownTools: new Set(input.tools.map(({ name }) => ownToolName(name))),
      verifyCommands: options.verifyCommands,
    };
    this.#connection = new Connection(session, {
      onPermission: (request) => this.#decide(request),
      onMcp: createMcpHandler({ tools: input.tools, answerTool }),
      onMessage: (type, message) => this.#onMessage(type, message),
      onPulse: () => this.#reporter?.pulse(),
    });
  }

  async open(): Promise<this> {
    this.#session.stage = 'initialize';
    const earlier = this.#session.input.resumeSessionId;
    const resumed = earlier !== null && (await this.#resume(earlier));
    const sessionId = resumed ? earlier : randomUUID();
    if (!resumed) await this.#connection.open(await this.#options.launch({ create: sessionId }));
    const { model } = this.#options;
    this.#session.announce({ sessionId, model, resumed });
    this.#reporter = new Reporter(this.#session, model, resumed);
    return this;
  }

  get ended(): Promise<unknown> | null {
    return this.#connection.gone;
  }

  startTurn(prompt: string): void {
    this.#say(randomUUID(), prompt);
  }

  interrupt({ kind }: TurnResult): void {
    // The answer to a question interrupts by itself.
    if (kind !== 'input_required') this.#connection.interrupt().catch(() => {});
  }

  readonly steer = async (text: string): Promise<boolean> => {
    if (!this.#steering.canFollow()) return false;
    const id = randomUUID();
    const taken = this.#steering.follow(id);
    this.#say(id, text);
    return taken;
  };

  afterTurn(): void {
    this.#steering.clear();
  }

  /** False when Claude does not know the conversation any more. */
  async #resume(sessionId: string): Promise<boolean> {
    try {
      await this.#connection.open(await this.#options.launch({ resume: sessionId }));
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || !UNKNOWN_CONVERSATION.test(error.message)) throw error;
      await this.#session.terminate();
      const { logger } = this.#session.input;
      logger.warn('Claude does not know the conversation; a new one is begun', { sessionId });
      return false;
    }
  }

  #say(id: string, text: string): void {
    // A Claude that does not read its input is of no more use; its exit ends the turn.
    this.#connection.say(id, text).catch(() => void this.#session.terminate());
  }

  #onMessage(type: string, message: Fields): void {
    if (type === 'command_lifecycle') this.#steering.acceptLifecycle(message);
    const result = type === 'result' ? resultSchema.safeParse(message).data : undefined;
    if (type !== 'result') this.#reporter?.accept(type, message);
    else if (result !== undefined && this.#reporter !== null) this.#onResult(result, this.#reporter);
  }

  #onResult(result: ResultMessage, reporter: Reporter): void {
    // A full conversation would fail every later turn too: Claude does not know this id, so the next run begins a new one.
    if (result.terminal_reason === 'prompt_too_long')
      this.#session.announce({ sessionId: randomUUID(), model: this.#options.model, resumed: false });
    const facts = reporter.acceptResult(result);
    if (this.#goingOnAlone) return;
    const end = this.#session.ending ?? turnResultOf(result, facts);
    if (!this.#steering.hasMore()) {
      this.#session.endTurn(end);
      return;
    }
    // Claude goes on by itself with what it was told in between; a turn that has failed must not.
    if (end.kind === 'completed') return;
    this.#goingOnAlone = true;
    this.#session.abandonTurn(end);
  }

  #decide(request: unknown): object {
    const { reply, question } = decidePermission(request, this.#grants);
    const tool = permissionSchema.safeParse(request).data?.tool_name.slice(0, 100) ?? '';
    const method = `can_use_tool/${tool}`;
    if (question === null) this.#session.emit({ type: 'approval_auto_approved', method });
    else this.#session.ask(method, question);
    return reply;
  }
}
