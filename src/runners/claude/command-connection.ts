import type { Clock } from '../../domain/clock.ts';
import { formatJsonLine, parseJsonLine } from '../../process/lines/json-lines.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import {
  answerTimedOut,
  type Connection,
  type ConnectionHandlers,
  type Fields,
  isFragment,
} from './connection.ts';
import { TOOL_SERVER } from './permissions.ts';
import { type ClaudeProcess, startProcess } from './process.ts';
import { controlRequestSchema, controlResponseSchema } from './protocol.ts';

interface Pending {
  resolve(): void;
  reject(error: Error): void;
  cancel(): void;
}

/** Speaks to `claude.command` directly, in the protocol that the Claude Agent SDK speaks. */
export async function openCommandConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  const pending = new Map<string, Pending>();
  let lastId = 0;
  let started: ClaudeProcess | null = null;
  // A pipe that breaks is followed by the exit of the process.
  const send = (message: object): void =>
    void started?.child.writeLine(formatJsonLine(message)).catch(() => {});
  const accept = createReceiver(pending, handlers, send);
  const process = await startProcess(launch, input, clock, {
    onLine(line) {
      if (isFragment(line)) return handlers.onPulse();
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'noise') return;
      if (parsed.kind === 'malformed' || !accept(parsed.value)) handlers.onMalformed(Buffer.byteLength(line));
    },
    onOversizeLine: (bytes) => handlers.onMalformed(bytes),
  });
  started = process;
  const { child, exitError } = process;
  const ended = process.gone.then((error) => {
    for (const waiting of pending.values()) waiting.reject(error);
  });

  const request = (subtype: string, fields: object, timeoutMs: number): Promise<void> => {
    const exited = exitError();
    if (exited !== null) return Promise.reject(exited);
    lastId += 1;
    const id = `aiops-${lastId}`;
    const answered = new Promise<void>((resolve, reject) => {
      const cancel = clock.setTimer(timeoutMs, () => reject(answerTimedOut(subtype, timeoutMs)));
      pending.set(id, { resolve, reject, cancel });
    }).finally(() => {
      pending.get(id)?.cancel();
      pending.delete(id);
    });
    send({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    return answered;
  };

  return {
    ...process,
    ended,
    initialize(timeoutMs) {
      const sdkMcpServers = input.tools.length === 0 ? [] : [TOOL_SERVER];
      return request('initialize', { hooks: null, sdkMcpServers }, timeoutMs);
    },
    interrupt: (timeoutMs) => request('interrupt', { cancel_queued: true }, timeoutMs),
    say: (message) => child.writeLine(formatJsonLine(message)),
  };
}

/** Takes a message of Claude; false for one that is not of the protocol. */
function createReceiver(
  pending: ReadonlyMap<string, Pending>,
  handlers: ConnectionHandlers,
  send: (message: object) => void,
): (message: Fields) => boolean {
  return (message) => {
    const { type } = message;
    if (typeof type !== 'string') return false;
    if (type === 'control_response') {
      const response = controlResponseSchema.safeParse(message).data?.response;
      const waiting = pending.get(response?.request_id ?? '');
      if (response?.subtype === 'success') waiting?.resolve();
      else waiting?.reject(new Error(response?.error ?? 'a refusal without a reason'));
      return response !== undefined;
    }
    if (type !== 'control_request') {
      handlers.onMessage(type, message);
      return true;
    }
    const asked = controlRequestSchema.safeParse(message).data;
    if (asked === undefined) return false;
    const { request_id, request } = asked;
    void answerRequest(request, handlers).then(
      (response) =>
        send({ type: 'control_response', response: { subtype: 'success', request_id, response } }),
      (error: unknown) =>
        send({ type: 'control_response', response: { subtype: 'error', request_id, error: String(error) } }),
    );
    return true;
  };
}

async function answerRequest(
  request: Fields & { readonly subtype: string },
  handlers: ConnectionHandlers,
): Promise<object> {
  if (request.subtype === 'can_use_tool') return handlers.onPermission(request);
  if (request.subtype === 'mcp_message') {
    const response = await handlers.onMcp(request['message']);
    // Claude waits for an answer even to a notification.
    return { mcp_response: response ?? { jsonrpc: '2.0', id: 0, result: {} } };
  }
  const subtype = request.subtype.slice(0, 100);
  handlers.emit({ type: 'notification', name: `refused request: ${subtype}` });
  throw new Error(`this client does not serve ${subtype}`);
}
