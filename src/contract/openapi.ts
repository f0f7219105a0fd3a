import * as z from 'zod';
import { ACTION_BODIES } from './actions.ts';
import { API_ROUTES, type ApiRouteName, EVENTS_PATH } from './api.ts';
import { OPENAPI_SCHEMAS } from './openapi-schemas.ts';
import { ACTION_HEADER, IDEMPOTENCY_HEADER } from './refresh.ts';
import { issueChangeBodySchema, issueMoveBodySchema, newIssueBodySchema } from './tracker-issues.ts';
import { outcomeSchema } from './wire.ts';
import { sessionBodySchema } from './worker.ts';

const ROUTES: Readonly<Record<ApiRouteName, { readonly summary: string; readonly query?: readonly Json[] }>> =
  {
    state: { summary: 'Everything the worker knows now' },
    worker: { summary: 'Who answers here, and whether this request may act' },
    link: { summary: 'A code that gives one browser the right to act; for whoever has it already' },
    session: { summary: 'Exchange such a code, once, for the token it stands for' },
    refresh: { summary: 'Queue a poll and a reconcile' },
    issue: { summary: 'One issue, by id or identifier' },
    issueShort: { summary: 'The same, at the address of the SPEC' },
    runs: {
      summary: 'Finished runs, newest first',
      query: [
        query('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
        query('before', { type: 'string' }),
        query('issue', { type: 'string' }),
        query('outcome', { type: 'string', enum: outcomeSchema.options }),
      ],
    },
    run: { summary: 'One run, by its id or the beginning of it' },
    runEvents: {
      summary: 'What a run reported, oldest first',
      query: [
        query('after', { type: 'integer', minimum: 0, default: 0 }),
        query('limit', { type: 'integer', minimum: 1, maximum: 5000, default: 1000 }),
      ],
    },
    runDiff: { summary: 'What the workspace of a run holds against the base branch' },
    history: {
      summary: 'Finished runs over time',
      query: [
        query('bucket', { type: 'string', enum: ['hour', 'day'], default: 'day' }),
        query('points', { type: 'integer', minimum: 1, maximum: 750, default: 30 }),
      ],
    },
    actions: {
      summary: 'Who asked for what, newest first',
      query: [query('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 })],
    },
    trackerBoard: { summary: 'Issues that can be written through the worker, and the states they can be in' },
    createIssue: { summary: 'Write a new issue' },
    trackerIssue: { summary: 'One of these issues with its text' },
    changeIssue: { summary: 'Change it, if it still is what was read; else 409 with how it is now' },
    moveIssue: { summary: 'Move it to another state, if it still is in the one it was seen in' },
    webhook: { summary: 'A webhook of the tracker, signed by HMAC-SHA-256: poll soon' },
    act: { summary: 'Do what an operator asks' },
  };

type Json = Readonly<Record<string, unknown>>;

/** The bodies of routes other than actions. */
const BODIES: Partial<Record<ApiRouteName, z.ZodType>> = {
  session: sessionBodySchema,
  createIssue: newIssueBodySchema,
  changeIssue: issueChangeBodySchema,
  moveIssue: issueMoveBodySchema,
};

const INPUT = { io: 'input' } as const;

/** The API as an OpenAPI 3.1 document, made from the schemas the server and the client use. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'aiops worker API',
      version: '1',
      description:
        'State, stream and operator actions of a worker. Times are UTC; new fields may be added at any time.',
    },
    security: [{}, { bearer: [] }, { basic: [] }],
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  };
}

function paths(): Json {
  const found: Record<string, Json> = {};
  for (const name of Object.keys(API_ROUTES) as ApiRouteName[]) {
    const route = API_ROUTES[name];
    if (name === 'act') continue;
    const made = operation(name, route.path);
    found[route.path] = { ...found[route.path], [route.method.toLowerCase()]: made };
  }
  for (const [action, body] of Object.entries(ACTION_BODIES)) {
    const path = API_ROUTES.act.path.replace('{action}', action);
    const content = jsonContent(z.toJSONSchema(body, INPUT));
    found[path] = {
      post: { ...operation('act', path), operationId: `act_${action}`, requestBody: { content } },
    };
  }
  found[EVENTS_PATH] = { get: eventsOperation() };
  return found;
}

function operation(name: ApiRouteName, path: string): Json {
  const route = API_ROUTES[name];
  const body = BODIES[name];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const headers =
    route.method === 'POST' && name !== 'webhook'
      ? [
          { name: ACTION_HEADER, in: 'header', required: true, schema: { const: 'true' } },
          ...(name === 'act' ? [{ name: IDEMPOTENCY_HEADER, in: 'header', schema: { type: 'string' } }] : []),
        ]
      : [];
  return {
    operationId: name,
    ...(body === undefined ? {} : { requestBody: { content: jsonContent(z.toJSONSchema(body, INPUT)) } }),
    // The signature is the credential; each tracker has a header of its own for it.
    ...(name === 'webhook' ? { security: [], requestBody: { content: jsonContent({}) } } : {}),
    summary: ROUTES[name].summary,
    parameters: [...inPath, ...(ROUTES[name].query ?? []), ...headers],
    responses: {
      [String(route.status)]: { description: 'OK', content: jsonContent(reference(nameOf(route.result))) },
      default: { description: 'A failure', content: jsonContent(reference('Error')) },
    },
  };
}

function eventsOperation(): Json {
  return {
    operationId: 'events',
    summary: 'Server-sent events; the data of each is one StreamMessage, its id resumes the stream',
    parameters: [
      query('runs', { type: 'string', description: '`all`, or ids of runs whose events are wanted too' }),
      query('last_event_id', { type: 'string', description: 'for clients that cannot send Last-Event-ID' }),
    ],
    responses: {
      '200': {
        description: 'The stream',
        content: { 'text/event-stream': { schema: reference('StreamMessage') } },
      },
      default: { description: 'A failure', content: jsonContent(reference('Error')) },
    },
  };
}

function query(name: string, schema: Json): Json {
  return { name, in: 'query', required: false, schema };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function nameOf(schema: z.ZodType): string {
  const found = Object.entries(OPENAPI_SCHEMAS).find(([, candidate]) => candidate === schema);
  if (found === undefined) throw new Error('a route answers with a schema that has no name');
  return found[0];
}

function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(OPENAPI_SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    // As a reader sees it: fields it does not know may be there.
    io: 'input',
    override({ jsonSchema }) {
      // The format says it all; the pattern is a page long.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}
