import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
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

const COMPARED: readonly (readonly [shape: z.ZodType, definitions: readonly string[]])[] = [
  [shapes.initializedSchema, ['InitializeResponse']],
  [shapes.threadOpenedSchema, ['ThreadStartResponse']],
  [shapes.threadOpenedSchema, ['ThreadResumeResponse']],
  [shapes.turnBegunSchema, ['TurnStartResponse']],
  [shapes.turnStartedSchema, ['TurnStartedNotification']],
  [shapes.turnCompletedSchema, ['TurnCompletedNotification']],
  [shapes.turnsListedSchema, ['ThreadTurnsListResponse']],
  [shapes.errorSchema, ['ErrorNotification']],
  [shapes.threadStatusSchema, ['ThreadStatusChangedNotification']],
  [shapes.tokenUsageSchema, ['ThreadTokenUsageUpdatedNotification']],
  [shapes.rateLimitsSchema, ['AccountRateLimitsUpdatedNotification']],
  [shapes.reroutedSchema, ['ModelReroutedNotification']],
  [shapes.noteSchema, NOTES],
  [shapes.itemSchema, ['ItemStartedNotification']],
  [shapes.itemSchema, ['ItemCompletedNotification']],
  [shapes.planSchema, ['TurnPlanUpdatedNotification']],
  [shapes.toolCallSchema, ['DynamicToolCallParams']],
  [shapes.commandApprovalSchema, ['CommandExecutionRequestApprovalParams']],
  [shapes.fileApprovalSchema, ['FileChangeRequestApprovalParams']],
  [shapes.permissionsApprovalSchema, ['PermissionsRequestApprovalParams']],
  [shapes.questionsSchema, ['ToolRequestUserInputParams']],
  [shapes.elicitationSchema, ['McpServerElicitationRequestParams']],
];

test.each(COMPARED.map(([shape, definitions]) => ({ shape, definitions })))(
  'R-10-b of $definitions only what Codex says it sends is read',
  ({ shape, definitions }) => {
    const schema = { anyOf: definitions.map((definition) => generated.definitions[definition]) };
    expect(alternatives(schema)).not.toEqual([]);
    expect(departures(z.toJSONSchema(shape), schema, definitions.join())).toEqual([]);
  },
);

test('every shape is compared', () => {
  const compared = COMPARED.map(([shape]) => shape);
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
