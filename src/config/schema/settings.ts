import type { z } from 'zod';
import { isMap } from '../read/is-map.ts';
import type { Resolution } from '../resolve/context.ts';
import type { Block, BlockSettings, ReadNotes } from './key.ts';
import { notesOf, shapeOf } from './shape.ts';

/** Resolving and printing by the definition of the keys: nothing here knows any of them. */

type Values = Readonly<Record<string, unknown>>;
/** The dotted key that a name of a block is written under. */
export type KeyOf = (name: string) => string;

/** `interval_ms` is `intervalMs`. */
export function settingName(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The settings that the written values of a block mean; problems are reported to `at`. */
export function readBlock<B extends Block>(
  at: Resolution,
  block: B,
  written: unknown,
  keyOf: KeyOf,
): BlockSettings<B> {
  const values: Values = isMap(written) ? written : {};
  const settings = Object.entries(shapeOf(block) ?? {}).flatMap(([name, schema]) => {
    if (notesOf(schema).elsewhere === true) return [];
    return [[settingName(name), readKey(at, schema, values[name], keyOf(name))]];
  });
  return Object.fromEntries(settings) as BlockSettings<B>;
}

/** The setting of one key. */
export function readKey(at: Resolution, schema: z.core.$ZodType, written: unknown, key: string): unknown {
  const { read } = notesOf(schema) as ReadNotes<unknown, unknown>;
  if (read !== undefined) return read(written, { at, key });
  if (shapeOf(schema) === null) return written ?? null;
  return readBlock(at, schema as Block, written, (name) => `${key}.${name}`);
}

const MASK = '***';

/** The settings of a block under the names they are written with; of a credential, that there is one. */
export function showBlock(schema: z.core.$ZodType, settings: unknown): Record<string, unknown> {
  const values: Values = isMap(settings) ? settings : {};
  const shown = Object.entries(shapeOf(schema) ?? {}).map(([name, key]) => {
    return [name, showKey(key, values[settingName(name)] ?? null, values)];
  });
  return Object.fromEntries(shown);
}

function showKey(schema: z.core.$ZodType, value: unknown, block: Values): unknown {
  const { secret, show } = notesOf(schema);
  if (secret === true) return value === null ? null : MASK;
  if (show !== undefined) return show(value, block);
  return shapeOf(schema) === null ? value : showBlock(schema, value);
}

/** For a list of which only the length may be seen. */
export function showMasked(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => MASK) : value;
}
