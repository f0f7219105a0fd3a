import { z } from 'zod';
import { shapeOf, unwrap } from '../schema/shape.ts';
import { isMap } from './is-map.ts';
import type { WrittenYaml } from './written-yaml.ts';

export interface UnknownKey {
  readonly key: string;
  readonly name: string;
  /** The names known at this place. */
  readonly known: readonly string[];
  /** True under a block that hands unknown keys on. */
  readonly kept: boolean;
}

export interface Converted {
  /** The written value with scalars of the type the schema wants, where no meaning is lost. */
  readonly value: unknown;
  readonly unknown: readonly UnknownKey[];
}

const TRUE_WORDS = /^(true|yes|on|y)$/i;
const FALSE_WORDS = /^(false|no|off|n)$/i;
const WHOLE = /^[-+]?\d{1,15}$/;

/**
 * Converts written values to the types that the schema wants: `name: 1.10` where text is wanted is the text "1.10", `"30000"` where
 * a number is wanted is the number, `yes` where a flag is wanted is true. Lists what the schema does not know.
 */
export function convertToSchema(schema: z.core.$ZodType, written: WrittenYaml): Converted {
  const unknown: UnknownKey[] = [];

  function convert(wanted: z.core.$ZodType, value: unknown, path: string): unknown {
    const inner = unwrap(wanted);
    const shape = shapeOf(inner);
    if (shape !== null && isMap(value)) return convertMap(inner, shape, value, path);
    if (inner instanceof z.ZodRecord && isMap(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          convert(inner.valueType, item, `${path}.${name}`),
        ]),
      );
    }
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((item, index) => convert(inner.element, item, `${path}[${index}]`));
    }
    if (inner instanceof z.ZodUnion) return convert(optionFor(inner, value), value, path);
    if (inner instanceof z.ZodString) return asText(value, written.spellings.get(path));
    if (inner instanceof z.ZodNumber && typeof value === 'string' && WHOLE.test(value.trim()))
      return Number(value);
    if (inner instanceof z.ZodBoolean && typeof value === 'string') return asFlag(value);
    return value;
  }

  function convertMap(
    inner: z.core.$ZodType,
    shape: Readonly<Record<string, z.core.$ZodType>>,
    value: Readonly<Record<string, unknown>>,
    path: string,
  ): Record<string, unknown> {
    const known = Object.keys(shape);
    const kept = inner instanceof z.ZodObject && inner.def.catchall !== undefined;
    const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
      const place = path === '' ? name : `${path}.${name}`;
      const wanted = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (wanted !== undefined) return [name, convert(wanted, item, place)];
      unknown.push({ key: place, name, known, kept });
      return [name, item];
    });
    return Object.fromEntries(entries);
  }

  return { value: convert(schema, written.value, ''), unknown };
}

function optionFor(union: z.ZodUnion, value: unknown): z.core.$ZodType {
  const fits = union.options.find((option) => {
    if (Array.isArray(value)) return option instanceof z.ZodArray;
    if (isMap(value)) return option instanceof z.ZodObject || option instanceof z.ZodRecord;
    return option instanceof z.ZodString;
  });
  // Numbers where a union has text are left for validation to refuse: an approval policy of 7 is a mistake.
  return fits !== undefined && (typeof value === 'object' || typeof value === 'string') ? fits : z.unknown();
}

function asText(value: unknown, spelling: string | undefined): unknown {
  if (value === null) return '';
  return typeof value === 'number' || typeof value === 'boolean' ? (spelling ?? String(value)) : value;
}

function asFlag(value: string): unknown {
  if (TRUE_WORDS.test(value)) return true;
  return FALSE_WORDS.test(value) ? false : value;
}
