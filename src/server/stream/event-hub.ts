import { randomBytes } from 'node:crypto';
import type { StreamMessage } from '../../contract/stream.ts';
import { AppError } from '../../errors/app-error.ts';
import type { WorkerPort } from '../worker-port.ts';
import { Following, type HubLimits, LIMITS, type Outlet } from './following.ts';
import { type LoggedMessage, type RunFilter, wants } from './message-log.ts';

/** Takes bytes for one client. False means the client cannot keep up: it is let go. */
export interface Sink {
  send(bytes: Uint8Array): boolean;
  end(): void;
}

/** Clients served before other work gets its turn. */
const SLICE = 8;

interface Client {
  readonly filter: RunFilter;
  readonly sink: Sink;
}

/**
 * Turns the worker's changes into one numbered stream of messages for everybody who listens. What is sent is made once,
 * however many listen; without listeners it costs nothing.
 */
export class EventHub {
  readonly #worker: WorkerPort;
  readonly #limits: HubLimits;
  readonly #boot = randomBytes(4).toString('hex');
  readonly #clients = new Set<Client>();
  readonly #outbox: { readonly client: Client; readonly bytes: Uint8Array }[] = [];
  #sending = false;
  #following: Following | null = null;
  #seq = 0;
  /** Set by the first client that asks for runs, until nobody is left to come back. */
  #runsWanted = false;

  constructor(worker: WorkerPort, limits: Partial<HubLimits> = {}) {
    this.#worker = worker;
    this.#limits = { ...LIMITS, ...limits };
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Sends what the client missed, or the whole state, and then everything new until the returned function is called. */
  connect(lastEventId: string | null, filter: RunFilter, sink: Sink): () => void {
    if (this.#clients.size >= this.#limits.maxClients) {
      throw new AppError('too_many_streams', `${this.#clients.size} clients follow the events already`, {
        hint: 'Close one of them, or run `aiops status` from time to time.',
      });
    }
    if (filter !== 'none') this.#runsWanted = true;
    const following = this.#follow();
    following.flush();
    const missed = this.#missedSince(following, lastEventId);
    const first = missed === null ? encode(following.stateText()) : joinFor(filter, missed);
    const client = { filter, sink };
    this.#clients.add(client);
    following.stayOn();
    // Something is always sent, so that a client knows at once that it is connected.
    this.#send(client, first.length === 0 ? encode(heartbeat()) : first);
    return () => this.#drop(client);
  }

  /** Ends every stream: the listener closes. What has happened until now is still sent. */
  close(): void {
    this.#following?.flush();
    for (const { client, bytes } of this.#outbox.splice(0)) {
      if (this.#clients.has(client)) this.#send(client, bytes);
    }
    for (const { sink } of [...this.#clients]) sink.end();
    this.#clients.clear();
    this.#rest();
  }

  #follow(): Following {
    if (this.#following !== null) return this.#following;
    const outlet: Outlet = {
      nextId: () => {
        this.#seq += 1;
        return this.#seq;
      },
      format: (seq, message) => this.#format(seq, message),
      deliver: (messages) => this.#deliver(messages),
      beat: () => this.#beat(),
      wantsRuns: () => this.#runsWanted,
      idle: () => this.#rest(),
    };
    this.#following = new Following(this.#worker, this.#limits, outlet, this.#seq);
    return this.#following;
  }

  #rest(): void {
    this.#following?.stop();
    this.#following = null;
    this.#runsWanted = false;
    // What happens from now on is not noticed, so nobody can resume across it.
    this.#seq += 1;
  }

  #missedSince(following: Following, lastEventId: string | null): readonly LoggedMessage[] | null {
    const match = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastEventId ?? '');
    if (match === null || match[1] !== this.#boot) return null;
    const seq = Number(match[2]);
    return seq > this.#seq ? null : following.log.after(seq);
  }

  #format(seq: number, message: StreamMessage): string {
    return `id: ${this.#boot}-${seq}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
  }

  #deliver(messages: readonly LoggedMessage[]): void {
    const made = new Map<string, Uint8Array>();
    for (const client of this.#clients) {
      const key = filterKey(client.filter);
      const bytes = made.get(key) ?? joinFor(client.filter, messages);
      made.set(key, bytes);
      if (bytes.length > 0) this.#outbox.push({ client, bytes });
    }
    if (!this.#sending) this.#sendSlice();
  }

  /** A few clients at a time, in order, so that other requests are answered in between. */
  #sendSlice(): void {
    for (const { client, bytes } of this.#outbox.splice(0, SLICE)) {
      if (this.#clients.has(client)) this.#send(client, bytes);
    }
    this.#sending = this.#outbox.length > 0;
    if (this.#sending) setImmediate(() => this.#sendSlice());
  }

  #beat(): void {
    const bytes = encode(heartbeat());
    for (const client of this.#clients) this.#outbox.push({ client, bytes });
    if (!this.#sending) this.#sendSlice();
  }

  #send(client: Client, bytes: Uint8Array): void {
    if (client.sink.send(bytes)) return;
    client.sink.end();
    this.#drop(client);
  }

  #drop(client: Client): void {
    if (!this.#clients.delete(client) || this.#clients.size > 0) return;
    this.#following?.linger();
  }
}

function heartbeat(): string {
  const message: StreamMessage = { type: 'heartbeat', at: new Date().toISOString() };
  return `event: heartbeat\ndata: ${JSON.stringify(message)}\n\n`;
}

function joinFor(filter: RunFilter, messages: readonly LoggedMessage[]): Uint8Array {
  const wanted = messages.filter((message) => wants(filter, message));
  return encode(wanted.map((message) => message.text).join(''));
}

function encode(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

function filterKey(filter: RunFilter): string {
  return typeof filter === 'string' ? filter : `=${[...filter].sort().join(',')}`;
}
