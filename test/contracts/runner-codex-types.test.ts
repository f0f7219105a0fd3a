import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatTypes, TYPES_FILE } from '../real/codex/types-file.mjs';
import { typesOfSchema } from '../real/codex/types-of-schema.mjs';

interface Definition {
  properties: Record<string, unknown>;
  required?: string[];
}

interface Schema {
  definitions: Record<string, Definition>;
}

/** The schema that is kept, with one definition changed. */
function schemaWith(name: string, change: (definition: Definition) => void): Schema {
  const file = new URL('../../schema/codex/protocol.json', import.meta.url);
  const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
  const definition = schema.definitions[name];
  if (definition === undefined) throw new Error(`there is no ${name}`);
  change(definition);
  return schema;
}

test('R-10-b the types are those of the schema that is kept; `node test/real/codex/update-types.mjs` writes them', () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(formatTypes());
});

test.each([
  ['TurnStartParams', 'approvalPolicy'],
  ['CommandExecutionRequestApprovalParams', 'reason'],
  ['TokenUsageBreakdown', 'inputTokens'],
])('a version without %s.%s has no types', (definition, field) => {
  const renamed = schemaWith(definition, ({ properties }) => {
    properties['renamed'] = properties[field];
    delete properties[field];
  });
  expect(() => typesOfSchema(renamed)).toThrow(`the schema has no ${definition}.${field}`);
});

test('an alternative that is gone is missed too', () => {
  const schema = schemaWith('TurnStatus', (definition) => Object.assign(definition, { enum: ['completed'] }));
  expect(() => typesOfSchema(schema)).toThrow('TurnStatus.interrupted, TurnStatus.inProgress');
});

test('what has to be sent is in the types, whether it is used or not; what is received only when it is used', () => {
  const demand = (definition: Definition): void => {
    definition.properties['mood'] = { type: 'string' };
    definition.required = [...(definition.required ?? []), 'mood'];
  };
  expect(typesOfSchema(schemaWith('TurnStartParams', demand))).toContain('mood: string');
  expect(typesOfSchema(schemaWith('Turn', demand))).not.toContain('mood');
});
