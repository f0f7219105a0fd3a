import { z } from 'zod';
import type { Resolution } from '../resolve/context.ts';

/** When a changed value takes effect in a running worker. */
export type Applies = 'next poll' | 'next run' | 'at once' | 'next start';

/** Where a value is being resolved: the key as it is written, and what knows the file and the environment. */
export interface Place {
  readonly at: Resolution;
  readonly key: string;
}

export interface KeyNotes {
  /** Says what happens without the key when that is computed rather than constant. */
  readonly defaultText?: string;
  readonly applies?: Applies;
  /** Environment variables with a say in the value, and how they rank. */
  readonly environment?: string;
  /** True when the value is a credential: kept from children, masked wherever settings are printed. */
  readonly secret?: boolean;
  /** The values there are, where a wrong one has a message of its own. */
  readonly enum?: readonly string[];
  /** Names the block whose keys these are, so that the reference need not list them twice. */
  readonly sameAs?: string;
  /** True when the key has no setting of its own: it is resolved together with others. */
  readonly elsewhere?: boolean;
  /** What is printed, given the setting and its whole block; without it, the setting itself. */
  show?(value: unknown, block: Readonly<Record<string, unknown>>): unknown;
}

/** Notes of a key whose setting is not simply what is written. Problems are reported to the place. */
export interface ReadNotes<Written, Setting> extends KeyNotes {
  read?(written: Written, place: Place): Setting;
}

declare const SETTING: unique symbol;
/** The schema of one key: what is written, and as a type what it resolves to. */
export type Key<S extends z.ZodType, Setting> = S & { readonly [SETTING]: Setting };

/** The setting of a key that is resolved together with others. */
export interface Elsewhere {
  readonly elsewhere: true;
}

type Plain<T> = T extends readonly (infer Item)[] ? readonly Item[] : T extends object ? Readonly<T> : T;
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** What a key resolves to. */
type SettingOf<S> = S extends { readonly [SETTING]: infer Setting }
  ? Setting
  : S extends z.ZodPrefault<z.ZodObject<infer Shape>>
    ? Settings<Shape>
    : never;

/** What the keys of a block resolve to: `interval_ms` is `intervalMs`, what is absent is null. */
export type Settings<Shape> = {
  readonly [Name in keyof Shape as SettingOf<Shape[Name]> extends Elsewhere
    ? never
    : Camel<Name> & string]: SettingOf<Shape[Name]>;
};

export type Block<Shape extends z.ZodRawShape = z.ZodRawShape> = z.ZodPrefault<z.ZodObject<Shape>>;
export type BlockSettings<B> = B extends z.ZodPrefault<z.ZodObject<infer Shape>> ? Settings<Shape> : never;

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
export function withDefault<S extends z.ZodType, Setting = Plain<z.output<S>>>(
  schema: S,
  value: z.util.NoUndefined<z.output<S>>,
  description: string,
  notes: ReadNotes<z.output<S>, Setting> = {},
): Key<z.ZodDefault<S>, Setting> {
  const key = schema.default(value).meta({ description, applies: 'next run', ...notes });
  return key as Key<typeof key, Setting>;
}

/** A key whose absence means something that is computed, or nothing. */
export function optional<S extends z.ZodType, Setting = Plain<z.output<S>> | null>(
  schema: S,
  description: string,
  notes: ReadNotes<z.output<S> | undefined, Setting> = {},
): Key<z.ZodOptional<S>, Setting> {
  const key = schema.optional().meta({ description, applies: 'next run', ...notes });
  return key as Key<typeof key, Setting>;
}

/** The key without a setting of its own. */
export function elsewhere<S extends z.ZodType>(key: Key<S, unknown>): Key<S, Elsewhere> {
  return key.meta({ ...key.meta(), elsewhere: true }) as Key<S, Elsewhere>;
}

/** A block of keys; leaving it out is the same as leaving out everything in it. */
export function block<S extends z.ZodRawShape>(shape: S, description: string): Block<S> {
  const empty = {} as z.input<z.ZodObject<S>>;
  return z.object(shape).prefault(empty).meta({ description });
}
