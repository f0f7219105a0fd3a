import { z } from 'zod';
import { nearest } from '../../domain/nearest.ts';
import { notesOf, shapeOf, typeText, unwrap } from '../schema/shape.ts';
import type { WrittenWorkflow } from '../schema/workflow.ts';
import { isMap } from './is-map.ts';
import { quote } from './problem.ts';

export interface TypeProblem {
  readonly key: string;
  readonly message: string;
  readonly hint: string;
}

export interface Validated {
  /** What is left when every wrong value is taken out. */
  readonly written: WrittenWorkflow;
  readonly problems: readonly TypeProblem[];
}

const MAX_PASSES = 10;

type Path = readonly PropertyKey[];

/** Checks types. Wrong values are reported and left out, so that the rest of the file is checked as well. */
export function validateWritten(schema: z.ZodObject, converted: unknown): Validated {
  const problems = new Map<string, TypeProblem>();
  const value = structuredClone(converted);
  // A removed value can uncover another problem at most once for each level of nesting.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const result = schema.safeParse(value);
    if (result.success) return { written: result.data as WrittenWorkflow, problems: [...problems.values()] };
    for (const issue of result.error.issues) {
      const key = dotted(issue.path);
      if (!problems.has(key)) problems.set(key, explain(schema, key, issue.path, converted));
      remove(value, issue.path);
    }
  }
  return { written: schema.parse({}) as WrittenWorkflow, problems: [...problems.values()] };
}

function explain(workflow: z.ZodObject, key: string, path: Path, converted: unknown): TypeProblem {
  const schema = schemaAt(workflow, path);
  const wanted = schema === null ? 'something else' : typeText(schema);
  const secret = schema !== null && notesOf(schema).secret === true;
  const value = path.reduce<unknown>(
    (holder, name) => (holder as Record<PropertyKey, unknown>)?.[name],
    converted,
  );
  return {
    key,
    message: `${key} must be ${wanted}, not ${describe(value, secret)}`,
    hint: meantBy(value, schema) ?? `Write ${wanted}.`,
  };
}

/** For a word that begins, or nearly is, one of those to choose from. */
function meantBy(value: unknown, schema: z.core.$ZodType | null): string | null {
  const choice = schema === null ? null : unwrap(schema);
  if (typeof value !== 'string' || value.trim() === '' || !(choice instanceof z.ZodEnum)) return null;
  const options = choice.options.map(String);
  const begun = options.filter((option) => option.startsWith(value.trim().toLowerCase()));
  const meant = begun.length === 1 ? begun[0] : nearest(value, options);
  return meant == null ? null : `Did you mean ${meant}?`;
}

/** The value itself when it is short and harmless, else only its kind. */
function describe(value: unknown, secret: boolean): string {
  if (Array.isArray(value)) return 'a list';
  if (isMap(value)) return 'a map';
  if (typeof value === 'string' && value.trim() === '') return 'blank';
  return secret ? 'this value' : quote(value);
}

function schemaAt(workflow: z.ZodObject, path: Path): z.core.$ZodType | null {
  let schema: z.core.$ZodType | undefined = workflow;
  for (const name of path) {
    schema = innerAt(unwrap(schema), name);
    if (schema === undefined) return null;
  }
  return schema;
}

function innerAt(schema: z.core.$ZodType, name: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  const shape = shapeOf(schema);
  return shape !== null && Object.hasOwn(shape, name) ? shape[String(name)] : undefined;
}

/** Deletes the value, or the list it stands in. */
function remove(root: unknown, path: Path): void {
  const index = path.findIndex((name) => typeof name === 'number');
  const names = index === -1 ? path : path.slice(0, index);
  const last = names.at(-1);
  const holder = names.slice(0, -1).reduce<unknown>((value, name) => {
    return isMap(value) ? value[String(name)] : undefined;
  }, root);
  if (isMap(holder) && last !== undefined) Reflect.deleteProperty(holder, last);
}

function dotted(path: Path): string {
  return path.reduce<string>((key, name) => {
    if (typeof name === 'number') return `${key}[${name}]`;
    return key === '' ? String(name) : `${key}.${String(name)}`;
  }, '');
}
