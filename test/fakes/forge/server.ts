import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiDescription } from './description.ts';
import { ForgeStore } from './store.ts';

/** How an answer goes wrong. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'reset' | 'hang' | 'cut' }
  | { readonly kind: 'change'; change(body: unknown): unknown };

export interface FakeRequest {
  readonly method: string;
  /** Below the API's prefix. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SentRequest {
  readonly method: string;
  readonly address: string;
  readonly status: number;
}

type Handler = (request: FakeRequest) => FakeAnswer;

export interface FakeForgeOptions {
  readonly name: string;
  readonly prefix: string;
  readonly description: ApiDescription;
  readonly authorization: string | readonly string[];
  readonly etags: boolean;
  readonly rateLimit: { readonly limit: number } | null;
  /** Everything that is not REST, e.g. GraphQL. */
  readonly other?: (pathname: string, body: unknown) => Promise<FakeAnswer | null> | FakeAnswer | null;
}

/** A forge on loopback: what its published description does not know fails the test that sent it. */
export class FakeForge {
  readonly store = new ForgeStore();
  readonly requests: SentRequest[] = [];
  /** What no real forge would have understood, or said. */
  readonly problems: string[] = [];
  /** The first whose pattern fits the request is used up. */
  readonly faults: { readonly on: RegExp; readonly fault: Fault; times: number }[] = [];
  /** Answers that went wrong so far. */
  spoiled = 0;
  remaining: number;
  readonly #handlers = new Map<string, Handler>();
  readonly #options: FakeForgeOptions;
  readonly #server: Server;

  constructor(options: FakeForgeOptions) {
    this.#options = options;
    this.remaining = options.rateLimit?.limit ?? 0;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  on(operation: string, handler: Handler): void {
    this.#handlers.set(operation, handler);
  }

  /** The official example of a successful answer. */
  example(operation: string): unknown {
    return this.#options.description.example(operation);
  }

  failNext(on: RegExp, fault: Fault, times = 1): void {
    this.faults.push({ on, fault, times });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Ends the server and complains about everything that the real one would not have understood. */
  async finish(): Promise<void> {
    await this.stop();
    if (this.problems.length > 0) throw new Error(`${this.#options.name}: ${this.problems.join('; ')}`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const method = request.method ?? 'GET';
    const address = request.url ?? '/';
    const fault = this.#takeFault(`${method} ${address}`);
    if (fault?.kind === 'reset') {
      this.requests.push({ method, address, status: 0 });
      return void request.socket.destroy();
    }
    if (fault?.kind === 'hang') return void this.requests.push({ method, address, status: 0 });
    if (fault?.kind === 'answer') {
      this.requests.push({ method, address, status: fault.status });
      response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(fault.body);
      return;
    }
    const answer = await this.#answer(
      request,
      new URL(address, this.origin),
      text === '' ? undefined : JSON.parse(text),
    );
    this.#send(request, response, address, fault, answer);
  }

  #takeFault(request: string): Fault | undefined {
    const found = this.faults.find((entry) => entry.on.test(request) && entry.times > 0);
    if (found === undefined) return undefined;
    found.times -= 1;
    this.spoiled += 1;
    return found.fault;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    fault: Fault | undefined,
    answer: FakeAnswer,
  ): void {
    const method = request.method ?? 'GET';
    const body = fault?.kind === 'change' ? fault.change(structuredClone(answer.body)) : answer.body;
    const text = body === undefined ? '' : JSON.stringify(body);
    const etag = `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;
    const conditional = this.#options.etags && method === 'GET' && answer.status === 200;
    const unchanged = conditional && request.headers['if-none-match'] === etag;
    if (!unchanged && this.#options.rateLimit !== null) this.remaining -= 1;
    const headers: Record<string, string> = {
      ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...(conditional ? { etag } : {}),
      ...this.#limitHeaders(address),
      ...answer.headers,
    };
    this.requests.push({ method, address, status: unchanged ? 304 : answer.status });
    response.writeHead(unchanged ? 304 : answer.status, headers);
    if (fault?.kind === 'cut') {
      response.write(text.slice(0, Math.floor(text.length / 2)));
      response.socket?.destroySoon();
    } else response.end(unchanged ? undefined : text);
  }

  #limitHeaders(address: string): Record<string, string> {
    const { rateLimit } = this.#options;
    if (rateLimit === null) return {};
    return {
      'x-ratelimit-limit': String(rateLimit.limit),
      'x-ratelimit-remaining': String(Math.max(0, this.remaining)),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3_600),
      'x-ratelimit-resource': address.endsWith('/graphql') ? 'graphql' : 'core',
    };
  }

  async #answer(request: IncomingMessage, url: URL, body: unknown): Promise<FakeAnswer> {
    const { description, prefix, authorization, other } = this.#options;
    const method = request.method ?? 'GET';
    if (![authorization].flat().includes(request.headers.authorization ?? ''))
      return { status: 401, body: { message: 'Bad credentials' } };
    if (body !== undefined && !/json/.test(request.headers['content-type'] ?? ''))
      this.problems.push(`${method} ${url.pathname}: a body without a JSON content type`);
    const elsewhere = await other?.(url.pathname, body);
    if (elsewhere !== null && elsewhere !== undefined) return elsewhere;
    const matched = url.pathname.startsWith(prefix)
      ? description.match(method, url.pathname.slice(prefix.length))
      : null;
    if (matched === null) {
      this.problems.push(`${method} ${url.pathname} is not in the description`);
      return { status: 404, body: { message: 'Not Found' } };
    }
    const complain = (problem: string): void => {
      this.problems.push(`${matched.name} (${url.search}): ${problem}`);
    };
    description.problemsOfRequest(matched.name, url.searchParams, body).forEach(complain);
    const handler = this.#handlers.get(matched.name);
    const answer = handler?.({ method, path: matched.path, query: url.searchParams, body }) ?? {
      status: 200,
      body: description.example(matched.name),
    };
    if (answer.status < 300 || answer.status === 422)
      description.problemsOfAnswer(matched.name, answer.status, answer.body).forEach(complain);
    return answer;
  }
}

/** One page of a list, with the `Link` header both forges send. */
export function page(
  request: FakeRequest,
  items: readonly unknown[],
  sizeParameter: string,
  most: number,
  address: string,
): FakeAnswer {
  const size = Math.min(Number(request.query.get(sizeParameter) ?? 30), most);
  const number = Number(request.query.get('page') ?? 1);
  const hasNext = number * size < items.length;
  const next = new URLSearchParams(request.query);
  next.set('page', String(number + 1));
  return {
    status: 200,
    body: items.slice((number - 1) * size, number * size),
    headers: hasNext ? { link: `<${address}?${next}>; rel="next"` } : {},
  };
}
