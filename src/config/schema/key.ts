import { z } from 'zod';

/** When a changed value takes effect in a running worker. */
export type Applies = 'next poll' | 'next run' | 'at once' | 'next start';

export interface KeyNotes {
  /** Says what happens without the key when that is computed rather than constant. */
  readonly defaultText?: string;
  readonly applies?: Applies;
  /** Environment variables with a say in the value, and how they rank. */
  readonly environment?: string;
  /** True when the value is a credential. */
  readonly secret?: boolean;
  /** The values there are, where a wrong one has a message of its own. */
  readonly enum?: readonly string[];
  /** Names the block whose keys these are, so that the reference need not list them twice. */
  readonly sameAs?: string;
}

/** Base types. Their checks are the ones a message can state in a few words. */
export const text = z.string();
export const filledText = z.string().regex(/\S/);
export const texts = z.array(text);
export const filledTexts = z.array(filledText);
export const flag = z.boolean();
export const wholeNumber = z.int();
export const positive = z.int().positive();
export const notNegative = z.int().nonnegative();
export const amount = z.number().nonnegative();

/** A key with a constant default. */
export function withDefault<S extends z.ZodType>(
  schema: S,
  value: z.util.NoUndefined<z.output<S>>,
  description: string,
  notes: KeyNotes = {},
): z.ZodDefault<S> {
  return schema.default(value).meta({ description, applies: 'next run', ...notes });
}

/** A key whose absence means something that is computed, or nothing. */
export function optional<S extends z.ZodType>(
  schema: S,
  description: string,
  notes: KeyNotes = {},
): z.ZodOptional<S> {
  return schema.optional().meta({ description, applies: 'next run', ...notes });
}

/** A block of keys; leaving it out is the same as leaving out everything in it. */
export function block<S extends z.ZodRawShape>(shape: S, description: string): z.ZodPrefault<z.ZodObject<S>> {
  const empty = {} as z.input<z.ZodObject<S>>;
  return z.object(shape).prefault(empty).meta({ description });
}
