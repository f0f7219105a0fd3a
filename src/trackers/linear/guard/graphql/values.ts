import { isRecord } from '../../../../domain/is-record.ts';
import { isWebAddress } from '../../../../tools/text-inputs.ts';
import { ToolRefusal } from '../../../../tools/tool-kit.ts';

/** The arguments of a field, written out or given as variables. */
export type Values = ReadonlyMap<string, unknown>;

/** The `input` of a mutation, which may have these keys and no others. */
export function inputOf(
  values: Values,
  keys: readonly string[],
  code: string,
): Readonly<Record<string, unknown>> {
  const input = values.get('input');
  if (!isRecord(input))
    throw new ToolRefusal(code, 'The input must be an object, written out or given as a variable.');
  for (const key of Object.keys(input)) {
    if (!keys.includes(key))
      throw new ToolRefusal(code, `The input may not have ${key}. It may have: ${keys.join(', ')}.`);
  }
  return input;
}

export function requiredText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ToolRefusal('argument_not_allowed', `${name} must be a text.`);
}

export function optionalText(value: unknown, name: string): string | null {
  return value === undefined ? null : requiredText(value, name);
}

export function webAddress(value: unknown): string {
  if (typeof value === 'string' && isWebAddress(value)) return value;
  throw new ToolRefusal(
    'argument_not_allowed',
    'The url must be an http or https address without a user name.',
  );
}
