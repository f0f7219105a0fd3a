import {
  methods,
  type McpServer as OfferedServer,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Conversation } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { approvedCodes } from '../tools/approval-code.ts';
import { startMcpServer } from '../tools/mcp-http-server.ts';
import { type Connection, openConnection } from './connection.ts';
import { openAgentSession } from './handshake.ts';
import { decidePermission, TOOL_SERVER } from './permissions.ts';
import { resultOf, resultOfError, STRANGE_ANSWER } from './prompt-result.ts';
import { type Initialized, promptedSchema } from './protocol.ts';
import { Reporter } from './reporter.ts';
import type { AcpSettings } from './settings.ts';

const { requestPermission } = methods.client.session;

/** The conversation with one agent of the Agent Client Protocol. */
export class AcpConversation implements Conversation {
  readonly steer = null;
  readonly #session: Session;
  readonly #permissions: AcpSettings['permissions'];
  readonly #approved: ReadonlySet<string>;
  /** Null until the session is open: what is told before is a conversation of the past. */
  #opened: {
    readonly connection: Connection;
    readonly sessionId: string;
    readonly reporter: Reporter;
  } | null = null;
  #prompting: Promise<void> = Promise.resolve();
  #cancelToolWatch = (): void => {};

  constructor(session: Session, { permissions }: AcpSettings) {
    this.#session = session;
    this.#permissions = permissions;
    this.#approved = approvedCodes(session.input.answer ?? null);
  }

  async open(launch: Launch): Promise<this> {
    const session = this.#session;
    const connection = await openConnection(session, launch, {
      onPermission: (params) => this.#answerPermission(params),
      onUpdate: (params) => this.#opened?.reporter.acceptUpdate(params),
      onRefused: (method) => this.#opened?.reporter.refused(method),
    });
    const { sessionId, resumed, model } = await openAgentSession(connection, session, (agent) =>
      this.#offerTools(agent),
    );
    session.announce({ sessionId, model, resumed });
    this.#opened = { connection, sessionId, reporter: new Reporter(session, sessionId, resumed) };
    return this;
  }

  /** The end of the process ends the request that a turn is; what the agent answered before still counts. */
  get ended(): Promise<unknown> | null {
    return this.#opened?.connection.gone.then(() => this.#prompting) ?? null;
  }

  startTurn(prompt: string): void {
    this.#prompting = this.#prompt(prompt).then((result) => this.#session.endTurn(result));
    this.#cancelToolWatch = this.#opened?.reporter.watchTools() ?? this.#cancelToolWatch;
  }

  interrupt(): void {
    if (this.#opened !== null) this.#opened.connection.cancel(this.#opened.sessionId);
  }

  flush(): void {
    this.#opened?.reporter.flush();
  }

  afterTurn(): void {
    this.#cancelToolWatch();
  }

  async #prompt(text: string): Promise<TurnResult> {
    if (this.#opened === null) throw new Error('a turn began before its session');
    const { connection, sessionId, reporter } = this.#opened;
    try {
      const params = { sessionId, prompt: [{ type: 'text' as const, text }] };
      const answer = await connection.request(methods.agent.session.prompt, params, null);
      const prompted = promptedSchema.safeParse(answer).data;
      if (prompted === undefined) return STRANGE_ANSWER;
      reporter.prompted(prompted);
      return resultOf(prompted.stopReason);
    } catch (error) {
      const exit = connection.exitError();
      if (exit === null) return resultOfError(error);
      return { kind: 'failed', code: 'port_exit', message: exit.message };
    }
  }

  async #offerTools({ mcpCapabilities }: Initialized['agentCapabilities']): Promise<OfferedServer[]> {
    const { tools, logger } = this.#session.input;
    if (tools.length === 0) return [];
    if (!mcpCapabilities.http) {
      logger.warn('the agent takes no tools over HTTP; it cannot move or comment on its issue by itself');
      return [];
    }
    const server = await startMcpServer({ tools, answerTool: this.#session.answerTool });
    this.#session.onClose(() => server.close());
    const headers = [{ name: 'Authorization', value: server.authorization }];
    return [{ type: 'http', name: TOOL_SERVER, url: server.url, headers }];
  }

  #answerPermission(params: unknown): RequestPermissionResponse {
    const { reply, granted, question } = decidePermission(params, {
      mode: this.#permissions,
      approved: this.#approved,
      tools: this.#session.input.tools.map(({ name }) => name),
    });
    if (granted !== null) {
      this.#session.emit({ type: 'approval_auto_approved', method: requestPermission });
      this.#opened?.reporter.granted(granted);
    }
    if (question !== null) this.#session.ask(requestPermission, question);
    return reply;
  }
}
