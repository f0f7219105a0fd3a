import { z } from 'zod';
import type { WorkflowFormat } from '../schema/workflow.ts';

/** The JSON Schema of the front matter, as text: what editors complete and check against. */
export function workflowJsonSchema(format: WorkflowFormat): string {
  const schema = z.toJSONSchema(format.schema, {
    io: 'input',
    override({ jsonSchema, zodSchema }) {
      const { applies, defaultText, elsewhere, environment, read, sameAs, secret, show, ...rest } =
        jsonSchema;
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, rest);
      if (typeof defaultText === 'string')
        jsonSchema.description = `${rest.description} Default: ${defaultText}.`;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (zodSchema instanceof z.ZodPrefault) delete jsonSchema.default;
      // An unknown key is a warning of the worker; in an editor it should not look right.
      if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) {
        jsonSchema.additionalProperties = false;
      }
    },
  });
  const { $schema, ...rest } = schema;
  return `${print({ $schema, title: 'WORKFLOW.md front matter', ...rest }, '')}\n`;
}

const WIDTH = 110;

/** JSON with short lists on one line, as the formatter of this project prints it. */
function print(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const flat = `[${value.map((item) => print(item, '')).join(', ')}]`;
    const scalars = value.every((item) => typeof item !== 'object' || item === null);
    if (scalars && indent.length + flat.length <= WIDTH - 40) return flat;
    return `[\n${value.map((item) => inner + print(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
