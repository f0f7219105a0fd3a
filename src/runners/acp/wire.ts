import { type AnyMessage, CLIENT_METHODS, type Stream } from '@agentclientprotocol/sdk';
import { formatJsonLine, parseJsonLine } from '../../process/lines/json-lines.ts';

export interface WireOptions {
  write(line: string): void;
  /** What a `session/update` carries; nothing in it is checked. */
  onUpdate(params: unknown): void;
  onMalformed(bytes: number): void;
}

/** The messages between the agent's lines and the SDK. */
export interface Wire {
  readonly stream: Stream;
  acceptLine(line: string): void;
  /** No further line will come; those that came are still read. */
  end(): void;
}

type Fields = Readonly<Record<string, unknown>>;

/** JSON-RPC's own code for an error on the other side. */
const INTERNAL_ERROR = -32603;

/**
 * Lets only sound messages through to the SDK: it prints what it cannot place to the console and sends broken messages back.
 * Updates go past it, because it drops every one of a kind it does not know.
 */
export function createWire({ write, onUpdate, onMalformed }: WireOptions): Wire {
  const awaited = new Set<unknown>();
  let controller: ReadableStreamDefaultController<AnyMessage> | null = null;

  const readable = new ReadableStream<AnyMessage>({
    start(opened) {
      controller = opened;
    },
    cancel() {
      controller = null;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ('method' in message && 'id' in message) awaited.add(message.id);
      write(formatJsonLine(message));
    },
  });

  /** Null for what is no message. */
  const messageOf = (fields: Fields): AnyMessage | null => {
    const { id, method, params } = fields;
    if (typeof method === 'string') {
      if (id === undefined) return { jsonrpc: '2.0', method, params };
      return isRequestId(id) ? { jsonrpc: '2.0', id, method, params } : null;
    }
    if (!isRequestId(id) || !awaited.delete(id)) return null;
    if ('error' in fields) return { jsonrpc: '2.0', id, error: errorOf(fields['error']) };
    return { jsonrpc: '2.0', id, result: fields['result'] ?? null };
  };

  return {
    stream: { readable, writable },
    acceptLine(line) {
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'noise') return;
      const message = parsed.kind === 'message' ? messageOf(parsed.value) : null;
      if (message === null) onMalformed(Buffer.byteLength(line));
      else if (isUpdate(message)) onUpdate(message.params);
      else controller?.enqueue(message);
    },
    end() {
      controller?.close();
      controller = null;
    },
  };
}

function isUpdate(message: AnyMessage): message is AnyMessage & { params?: unknown } {
  return 'method' in message && !('id' in message) && message.method === CLIENT_METHODS.session_update;
}

function isRequestId(id: unknown): id is string | number | null {
  return id === null || typeof id === 'string' || typeof id === 'number';
}

/** The SDK throws the words away of an error that is not quite as it should be. */
function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const fields: Fields = typeof error === 'object' && error !== null ? { ...error } : { message: error };
  const { code, message, data } = fields;
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'an error without a message',
    data,
  };
}
