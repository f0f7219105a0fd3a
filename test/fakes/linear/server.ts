import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, type DocumentNode, execute, type GraphQLSchema, parse, validate } from 'graphql';
import { complexityOf } from './complexity.ts';
import { createRoot } from './resolvers.ts';
import { FakeStore } from './store.ts';

export const FAKE_KEY = 'lin_api_dummy0000000000000000000000000000';

/** How the next answer goes wrong. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut' }
  /** The answer is changed before it is sent. */
  | { readonly kind: 'change'; change(answer: Record<string, unknown>): unknown };

export interface SentRequest {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly complexity: number;
}

const MAX_POINTS = 10_000;

/** The committed part of the published schema. */
export const LINEAR_SCHEMA: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../../schema/linear/schema.graphql', import.meta.url), 'utf8'),
);

/** Linear on loopback: what its published schema does not know fails the test that sent it. */
export class FakeLinear {
  readonly store = new FakeStore();
  readonly requests: SentRequest[] = [];
  /** What no real Linear would have understood. */
  readonly problems: string[] = [];
  /** Used up one per request. */
  readonly faults: Fault[] = [];
  readonly #standing: { readonly on: RegExp; readonly fault: Fault }[] = [];
  /** Answers that went wrong so far. */
  spoiled = 0;
  headers: Record<string, string> = {};
  /** The only `Authorization` it accepts. */
  authorization = FAKE_KEY;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeLinear> {
    const fake = new FakeLinear();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/graphql`;
  }

  /** Every request whose operation and variables fit goes wrong from now on. */
  failOn(on: RegExp, fault: Fault): void {
    this.#standing.push({ on, fault });
  }

  heal(): void {
    this.faults.length = 0;
    this.#standing.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Ends the server and complains about every request that Linear would not have understood. */
  async finish(): Promise<void> {
    await this.stop();
    if (this.problems.length > 0) throw new Error(`Linear would not understand: ${this.problems.join('; ')}`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { query, variables = {} } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      query: string;
      variables?: Record<string, unknown>;
    };
    const document = parse(query);
    this.requests.push({
      operation: nameOf(document),
      variables,
      complexity: complexityOf(LINEAR_SCHEMA, document),
    });
    const fault = this.faults.shift() ?? this.#standingFault(nameOf(document), variables);
    if (fault !== undefined) this.spoiled += 1;
    if (fault?.kind === 'reset') return void request.socket.destroy();
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'answer') {
      response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(fault.body);
      return;
    }
    const { status, body } = await this.#answer(request, document, variables);
    const changed = fault?.kind === 'change' ? fault.change(body) : body;
    const text = JSON.stringify(changed);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...this.headers });
    if (fault?.kind === 'cut') {
      response.write(text.slice(0, text.length / 2));
      response.socket?.destroySoon();
    } else response.end(text);
  }

  #standingFault(operation: string, variables: object): Fault | undefined {
    const sent = `${operation} ${JSON.stringify(variables)}`;
    return this.#standing.find(({ on }) => on.test(sent))?.fault;
  }

  async #answer(
    request: IncomingMessage,
    document: DocumentNode,
    variables: Record<string, unknown>,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    if (request.headers.authorization !== this.authorization)
      return refused(401, 'AUTHENTICATION_ERROR', 'Authentication required');
    const invalid = validate(LINEAR_SCHEMA, document);
    if (invalid.length > 0) {
      this.problems.push(...invalid.map((error) => error.message));
      return refused(400, 'GRAPHQL_VALIDATION_FAILED', invalid[0]?.message ?? '');
    }
    const points = complexityOf(LINEAR_SCHEMA, document);
    if (points > MAX_POINTS) {
      this.problems.push(`${nameOf(document)} costs ${points} points`);
      return refused(400, 'INPUT_ERROR', 'Query too complex');
    }
    const result = await execute({
      schema: LINEAR_SCHEMA,
      document,
      rootValue: createRoot(this.store),
      variableValues: variables,
    });
    for (const { message } of result.errors ?? []) {
      if (!message.startsWith('Entity not found')) this.problems.push(message);
    }
    const errors = result.errors?.map((error) => ({
      message: error.message,
      path: error.path,
      extensions: { code: 'INPUT_ERROR', type: 'invalid input' },
    }));
    return {
      status: 200,
      body: errors === undefined ? { data: result.data } : { data: result.data, errors },
    };
  }
}

function refused(
  status: number,
  code: string,
  message: string,
): { status: number; body: Record<string, unknown> } {
  return { status, body: { errors: [{ message, extensions: { code } }] } };
}

function nameOf(document: DocumentNode): string {
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition') return definition.name?.value ?? 'anonymous';
  }
  return 'none';
}
