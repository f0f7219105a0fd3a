import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';

/** OTLP's JSON, strictly: a field that the protocol does not have fails the request. */
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const nanoseconds = z.string().regex(/^\d{19}$/);
const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  traceState: z.string().optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  flags: z.int().optional(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  droppedAttributesCount: z.int(),
  events: z.array(
    z.strictObject({
      attributes,
      name: z.string(),
      timeUnixNano: nanoseconds,
      droppedAttributesCount: z.int(),
    }),
  ),
  droppedEventsCount: z.int(),
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
  links: z.array(z.unknown()).max(0),
  droppedLinksCount: z.int(),
});
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes }),
      scopeSpans: z.array(
        z.looseObject({
          scope: z.looseObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

type Values = Readonly<Record<string, string | number | boolean>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Values;
  readonly events: readonly { readonly name: string; readonly attributes: Values }[];
  readonly resource: Values;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** What of the requests was not OTLP. */
  readonly problems: readonly string[];
  /** Everything received, as it came. */
  readonly text: string;
  /** From now on answers like this instead of taking spans; null takes them again. */
  answerWith(answer: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

/** A receiver of traces on loopback that checks what it is sent. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const problems: string[] = [];
  let text = '';
  let special: ((response: ServerResponse) => void) | null = null;
  const server = createServer((request, response) => {
    readText(request).then(
      (body) => receive(request, response, body),
      (error: Error) => void problems.push(error.message),
    );
  });
  const receive = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    headers.push(request.headers);
    if (special !== null) {
      special(response);
      return;
    }
    if (request.method !== 'POST' || request.url !== '/v1/traces')
      problems.push(`${request.method} ${request.url}`);
    text += body;
    const parsed = requestSchema.safeParse(JSON.parse(body));
    if (parsed.success) spans.push(...spansOf(parsed.data));
    else problems.push(parsed.error.message);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    problems,
    get text() {
      return text;
    },
    answerWith(answer) {
      special = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: z.infer<typeof requestSchema>): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((received) => ({
        traceId: received.traceId,
        spanId: received.spanId,
        parentSpanId: received.parentSpanId ?? null,
        name: received.name,
        startMs: Number(BigInt(received.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(received.endTimeUnixNano) / 1_000_000n),
        failed: received.status.code === 2,
        attributes: valuesOf(received.attributes),
        events: received.events.map((event) => ({
          name: event.name,
          attributes: valuesOf(event.attributes),
        })),
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(list: z.infer<typeof attributes>): Values {
  return Object.fromEntries(
    list.map(({ key, value: given }) => {
      if ('intValue' in given) return [key, Number(given.intValue)];
      if ('doubleValue' in given) return [key, given.doubleValue];
      return [key, 'stringValue' in given ? given.stringValue : given.boolValue];
    }),
  );
}
