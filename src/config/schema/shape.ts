import { z } from 'zod';
import type { KeyNotes } from './key.ts';

/** Reading a zod schema: what a key is, apart from its default and whether it may be left out. */

/** The schema without optional, default and prefault around it. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    inner = inner.unwrap();
  }
  return inner;
}

/** The constant default of a key, or undefined. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

export function notesOf(schema: z.core.$ZodType): KeyNotes & { readonly description?: string } {
  return schema instanceof z.ZodType ? ((schema.meta() ?? {}) as KeyNotes) : {};
}

/** The keys of a block, or null when the schema is not a block. */
export function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | null {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : null;
}

/** The type of a key in a few words, for messages and the reference. */
export function typeText(schema: z.core.$ZodType): string {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodEnum) return `one of ${inner.options.join(', ')}`;
  if (inner instanceof z.ZodBoolean) return 'true or false';
  if (inner instanceof z.ZodNumber) return numberText(inner);
  if (inner instanceof z.ZodString) return inner.format === 'regex' ? 'text that is not blank' : 'text';
  if (inner instanceof z.ZodArray) return `a list of ${typeText(inner.element)}`;
  if (inner instanceof z.ZodUnion) return inner.options.map((option) => typeText(option)).join(' or ');
  if (inner instanceof z.ZodObject) return `a map with ${Object.keys(inner.shape).join(', ')}`;
  return 'a map';
}

function numberText(schema: z.ZodNumber): string {
  const noun = schema.isInt ? 'a whole number' : 'a number';
  const lowest = schema.minValue;
  if (lowest === null || lowest < -1) return noun;
  const exclusive = schema.def.checks?.some(
    (check) =>
      check._zod.def.check === 'greater_than' && 'inclusive' in check._zod.def && !check._zod.def.inclusive,
  );
  return exclusive === true ? `${noun} above ${lowest}` : `${noun}, ${lowest} or more`;
}

type Leaf = readonly [key: string, schema: z.core.$ZodType];

const known = new WeakMap<z.core.$ZodType, readonly Leaf[]>();

/** The dotted keys of everything that is not a block, with their schemas. A schema never changes, so it is walked once. */
export function leavesOf(schema: z.core.$ZodType): readonly Leaf[] {
  const leaves = known.get(schema) ?? leavesBelow(schema, '');
  known.set(schema, leaves);
  return leaves;
}

function leavesBelow(schema: z.core.$ZodType, prefix: string): readonly Leaf[] {
  const shape = shapeOf(schema);
  if (shape === null) return [[prefix, schema]];
  return Object.entries(shape).flatMap(([name, inner]) =>
    leavesBelow(inner, prefix === '' ? name : `${prefix}.${name}`),
  );
}

export function leafKeys(schema: z.core.$ZodType): readonly string[] {
  return leavesOf(schema).map(([key]) => key);
}

/** The dotted keys whose values are credentials, by the note each of them has. */
export function secretKeys(schema: z.core.$ZodType): readonly string[] {
  return leavesOf(schema).flatMap(([key, leaf]) => (notesOf(leaf).secret === true ? [key] : []));
}
