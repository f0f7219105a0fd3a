import { AppError } from '../../errors/app-error.ts';
import { formatJsonLine, parseJsonLine } from '../../process/lines/json-lines.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { AgentProcess } from '../session/agent-process.ts';
import type { Session } from '../session/session.ts';
import { withTimeLimit } from '../session/time-limit.ts';
import { TOOL_SERVER } from './permissions.ts';
import { CLAUDE_PROCESS } from './process.ts';
import { controlRequestSchema, controlResponseSchema } from './protocol.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a connection tells its conversation. */
export interface ConnectionHandlers {
  /** Claude asks whether it may use a tool; the answer is what it gets. */
  onPermission(request: unknown): object;
  /** A message to the MCP server of the run; null when it needs no answer. */
  onMcp(message: unknown): Promise<object | null>;
  onMessage(type: string, message: Fields): void;
  /** A frequent message that says no more than that the agent lives. */
  onPulse(): void;
}

interface Pending {
  resolve(): void;
  reject(error: Error): void;
}

/** Fragments of what comes whole later: such lines need not be parsed at all. */
const FRAGMENT = /^\{"type":"stream_event"/;

/** A running Claude and the conversation with it, in the protocol that the Claude Agent SDK speaks. */
export class Connection {
  readonly #session: Session;
  readonly #handlers: ConnectionHandlers;
  readonly #pending = new Map<string, Pending>();
  #process: AgentProcess | null = null;
  #lastId = 0;

  constructor(session: Session, handlers: ConnectionHandlers) {
    this.#session = session;
    this.#handlers = handlers;
  }

  /** Starts Claude. Resolves when it has agreed; rejects with its refusal, with `response_timeout`, or with the process's end. */
  async open(launch: Launch): Promise<void> {
    const process = await this.#session.startProcess(launch, {
      ...CLAUDE_PROCESS,
      onLine: (line) => this.#acceptLine(line),
    });
    this.#process = process;
    void process.gone.then((error) => {
      for (const { reject } of this.#pending.values()) reject(error);
    });
    const sdkMcpServers = this.#session.input.tools.length === 0 ? [] : [TOOL_SERVER];
    const { responseTimeoutMs } = this.#session.timing;
    await this.#request('initialize', { hooks: null, sdkMcpServers }, responseTimeoutMs);
  }

  get gone(): Promise<unknown> | null {
    return this.#process?.gone ?? null;
  }

  /** Asks Claude to end its turn and to forget what is still queued. */
  interrupt(): Promise<void> {
    return this.#request('interrupt', { cancel_queued: true }, this.#session.timing.interruptGraceMs);
  }

  /** Says something to Claude; it reports by the id what becomes of it. */
  async say(uuid: string, text: string): Promise<void> {
    const message = { role: 'user', content: [{ type: 'text', text }] };
    await this.#write({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid });
  }

  async #request(subtype: string, fields: object, timeoutMs: number): Promise<void> {
    const exited = this.#process?.exitError() ?? null;
    if (exited !== null) throw exited;
    this.#lastId += 1;
    const id = `aiops-${this.#lastId}`;
    const answered = new Promise<void>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#send({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    const late = (ms: number): AppError => answerTimedOut(subtype, ms);
    await withTimeLimit(this.#session.clock, timeoutMs, answered, late).finally(() =>
      this.#pending.delete(id),
    );
  }

  #acceptLine(line: string): void {
    if (FRAGMENT.test(line)) {
      this.#handlers.onPulse();
      return;
    }
    const parsed = parseJsonLine(line);
    if (parsed.kind === 'noise') return;
    if (parsed.kind === 'malformed' || !this.#accept(parsed.value))
      this.#session.malformed(Buffer.byteLength(line));
  }

  /** Takes a message of Claude; false for one that is not of the protocol. */
  #accept(message: Fields): boolean {
    const { type } = message;
    if (typeof type !== 'string') return false;
    if (type === 'control_response') return this.#acceptResponse(message);
    if (type === 'control_request') return this.#acceptRequest(message);
    this.#handlers.onMessage(type, message);
    return true;
  }

  #acceptResponse(message: Fields): boolean {
    const response = controlResponseSchema.safeParse(message).data?.response;
    const waiting = this.#pending.get(response?.request_id ?? '');
    if (response?.subtype === 'success') waiting?.resolve();
    else waiting?.reject(new Error(response?.error ?? 'a refusal without a reason'));
    return response !== undefined;
  }

  #acceptRequest(message: Fields): boolean {
    const asked = controlRequestSchema.safeParse(message).data;
    if (asked === undefined) return false;
    const { request_id, request } = asked;
    const respond = (response: object): void =>
      this.#send({ type: 'control_response', response: { request_id, ...response } });
    void this.#answer(request).then(
      (response) => respond({ subtype: 'success', response }),
      (error: unknown) => respond({ subtype: 'error', error: String(error) }),
    );
    return true;
  }

  async #answer(request: Fields & { readonly subtype: string }): Promise<object> {
    if (request.subtype === 'can_use_tool') return this.#handlers.onPermission(request);
    if (request.subtype === 'mcp_message') {
      const response = await this.#handlers.onMcp(request['message']);
      // Claude waits for an answer even to a notification.
      return { mcp_response: response ?? { jsonrpc: '2.0', id: 0, result: {} } };
    }
    const subtype = request.subtype.slice(0, 100);
    this.#session.emit({ type: 'notification', name: `refused request: ${subtype}` });
    throw new Error(`this client does not serve ${subtype}`);
  }

  // A pipe that breaks is followed by the exit of the process.
  #send(message: object): void {
    this.#write(message).catch(() => {});
  }

  async #write(message: object): Promise<void> {
    await this.#process?.child.writeLine(formatJsonLine(message));
  }
}

function answerTimedOut(request: string, ms: number): AppError {
  return new AppError('response_timeout', `Claude did not answer ${request} within ${ms} ms.`, {
    hint: 'Run `claude -p hello` by hand as the user of the worker, or look at the load of the machine.',
  });
}
