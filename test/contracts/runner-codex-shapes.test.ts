import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type {
  ClientResults,
  Notifications,
  ServerParams,
  TokenUsageBreakdown,
} from '../../src/runners/codex/generated/protocol.d.ts';
import * as shapes from '../../src/runners/codex/protocol.ts';

type Node = Readonly<Record<string, unknown>>;

const generated: { version: string; definitions: Readonly<Record<string, Node>> } = JSON.parse(
  readFileSync(new URL('../../schema/codex/protocol.json', import.meta.url), 'utf8'),
);

/** The alternatives a schema allows, references followed, without null. */
function alternatives(node: unknown): readonly Node[] {
  if (!isNode(node)) return [];
  const { $ref: reference } = node;
  if (typeof reference === 'string') {
    return alternatives(generated.definitions[reference.split('/').at(-1) ?? '']);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const inner = node[key];
    if (Array.isArray(inner)) return inner.flatMap(alternatives).map((one) => joined(node, one));
  }
  return node['type'] === 'null' ? [] : [node];
}

/** An alternative with what stands beside the list of alternatives. */
function joined(outer: Node, inner: Node): Node {
  const properties = { ...fieldsOf(outer), ...fieldsOf(inner) };
  return { ...inner, properties, required: [...requiredOf(outer), ...requiredOf(inner)] };
}

/** Where a shape reads what the generated schema does not have, or insists on what it does not promise. */
function departures(shape: unknown, schema: unknown, at: string): readonly string[] {
  const wanted = alternatives(shape).filter((one) => one['type'] === 'object' || one['type'] === 'array');
  const given = alternatives(schema);
  return wanted.flatMap((one) => {
    const items = given.flatMap((other) => other['items'] ?? []);
    if (one['type'] === 'array') return departures(one['items'], { anyOf: items }, `${at}[]`);
    return Object.entries(fieldsOf(one)).flatMap(([name, field]) => {
      const path = `${at}.${name}`;
      const known = given.flatMap((other) => fieldsOf(other)[name] ?? []);
      if (known.length === 0) return [`${path} is not in the schema`];
      const promised = given.every((other) => requiredOf(other).includes(name));
      const insists = requiredOf(one).includes(name);
      const doubt = insists && !promised ? [`${path} is required here but not promised`] : [];
      return [...doubt, ...departures(field, { anyOf: known }, path)];
    });
  });
}

function fieldsOf(node: Node): Node {
  return isNode(node['properties']) ? node['properties'] : {};
}

function requiredOf(node: Node): readonly unknown[] {
  return Array.isArray(node['required']) ? node['required'] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NOTES = ['WarningNotification', 'ConfigWarningNotification', 'DeprecationNoticeNotification'];

test('the shapes are of the version whose schema is kept', () => {
  expect(shapes.CODEX_VERSION).toBe(generated.version);
});

/** The names that a shape reads, at any depth, and that a message does not have. */
type Strangers<Read, Given> = Read extends readonly (infer R)[]
  ? Strangers<R, Extract<Given, readonly unknown[]>[number]>
  : Read extends object
    ? {
        [F in Named<Read>]-?: F extends FieldOf<Given>
          ? Strangers<NonNullable<Read[F]>, NonNullable<ValueOf<Given, F>>>
          : F;
      }[Named<Read>]
    : never;
/** The keys without the one that stands for all others. */
type Named<Read> = keyof { [F in keyof Read as string extends F ? never : number extends F ? never : F]: F };
type FieldOf<Given> = Given extends unknown ? keyof Given : never;
type ValueOf<Given, F> = Given extends unknown ? (F extends keyof Given ? Given[F] : never) : never;

/**
 * Does not compile unless every message of the generated type fits the shape, and has all the names the shape reads; a
 * name it has not is the argument that is asked for.
 */
function reading<S extends z.ZodType>(shape: S, ...definitions: readonly string[]) {
  return {
    of: <Given extends z.input<S>>(
      ..._strangers: [Strangers<z.input<S>, Given>] extends [never] ? [] : [Strangers<z.input<S>, Given>]
    ): { shape: z.ZodType; definitions: readonly string[] } => ({ shape, definitions }),
  };
}

const COMPARED = [
  reading(shapes.initializedSchema, 'InitializeResponse').of<ClientResults['initialize']>(),
  reading(shapes.threadOpenedSchema, 'ThreadStartResponse').of<ClientResults['thread/start']>(),
  reading(shapes.threadOpenedSchema, 'ThreadResumeResponse').of<ClientResults['thread/resume']>(),
  reading(shapes.turnBegunSchema, 'TurnStartResponse').of<ClientResults['turn/start']>(),
  reading(shapes.turnsListedSchema, 'ThreadTurnsListResponse').of<ClientResults['thread/turns/list']>(),
  reading(shapes.turnStartedSchema, 'TurnStartedNotification').of<Notifications['turn/started']>(),
  reading(shapes.turnCompletedSchema, 'TurnCompletedNotification').of<Notifications['turn/completed']>(),
  reading(shapes.errorSchema, 'ErrorNotification').of<Notifications['error']>(),
  reading(shapes.threadStatusSchema, 'ThreadStatusChangedNotification').of<
    Notifications['thread/status/changed']
  >(),
  reading(shapes.tokenUsageSchema, 'ThreadTokenUsageUpdatedNotification').of<
    Notifications['thread/tokenUsage/updated']
  >(),
  // Its input is renamed before it is read, so that the shape around it does not tell.
  reading(
    shapes.tokenUsageSchema.shape.tokenUsage.shape.total.out,
    'TokenUsageBreakdown',
  ).of<TokenUsageBreakdown>(),
  reading(shapes.rateLimitsSchema, 'AccountRateLimitsUpdatedNotification').of<
    Notifications['account/rateLimits/updated']
  >(),
  reading(shapes.reroutedSchema, 'ModelReroutedNotification').of<Notifications['model/rerouted']>(),
  reading(shapes.noteSchema, ...NOTES).of<Notifications['warning' | 'configWarning' | 'deprecationNotice']>(),
  reading(shapes.itemSchema, 'ItemStartedNotification').of<Notifications['item/started']>(),
  reading(shapes.itemSchema, 'ItemCompletedNotification').of<Notifications['item/completed']>(),
  reading(shapes.planSchema, 'TurnPlanUpdatedNotification').of<Notifications['turn/plan/updated']>(),
  reading(shapes.toolCallSchema, 'DynamicToolCallParams').of<ServerParams['item/tool/call']>(),
  reading(shapes.commandApprovalSchema, 'CommandExecutionRequestApprovalParams').of<
    ServerParams['item/commandExecution/requestApproval']
  >(),
  reading(shapes.fileApprovalSchema, 'FileChangeRequestApprovalParams').of<
    ServerParams['item/fileChange/requestApproval']
  >(),
  reading(shapes.permissionsApprovalSchema, 'PermissionsRequestApprovalParams').of<
    ServerParams['item/permissions/requestApproval']
  >(),
  reading(shapes.questionsSchema, 'ToolRequestUserInputParams').of<
    ServerParams['item/tool/requestUserInput']
  >(),
  reading(shapes.elicitationSchema, 'McpServerElicitationRequestParams').of<
    ServerParams['mcpServer/elicitation/request']
  >(),
];

test.each(COMPARED)(
  'R-10-b of $definitions only what Codex says it sends is read',
  ({ shape, definitions }) => {
    const schema = { anyOf: definitions.map((definition) => generated.definitions[definition]) };
    expect(alternatives(schema)).not.toEqual([]);
    expect(departures(z.toJSONSchema(shape), schema, definitions.join())).toEqual([]);
  },
);

test('every shape is compared', () => {
  const compared = COMPARED.map(({ shape }) => shape);
  const all = Object.values(shapes).filter((shape) => shape instanceof z.ZodType);
  expect(all.filter((shape) => !compared.includes(shape))).toEqual([]);
  expect(all.length).toBeGreaterThan(15);
});

test('a field that is not there or not promised is found', () => {
  const schema = generated.definitions['ErrorNotification'];
  const shape = z.object({
    threadId: z.string(),
    nowhere: z.string(),
    error: z.object({ wrong: z.string() }),
  });
  expect(departures(z.toJSONSchema(shape), schema, 'x')).toEqual([
    'x.nowhere is not in the schema',
    'x.error.wrong is not in the schema',
  ]);
  const eager = z.object({ error: z.object({ additionalDetails: z.string() }) });
  expect(departures(z.toJSONSchema(eager), schema, 'x')).toEqual([
    'x.error.additionalDetails is required here but not promised',
  ]);
});

test('the compiler finds such a name too, behind lists, nulls and open objects', () => {
  type Read = { a?: string | null; list: { b?: { c?: string; [more: string]: unknown } | null }[] };
  type Given = { a: string; list: { b: { d: string } | null }[] };
  const stranger: Strangers<Read, Given> = 'c';
  expect(
    reading(z.object({ c: z.string().optional() })).of<{ d?: string; c?: string }>().definitions,
  ).toEqual([]);
  expect(stranger).toBe('c');
});
