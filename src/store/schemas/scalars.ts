import { z } from 'zod';

/*
 * Payloads are read leniently: a field that an older version did not write gets the value that means "nothing yet",
 * a field that a newer version added is kept. A field with a value of the wrong type makes the payload unreadable.
 */

/** JSON turns NaN and infinities into null, hence null reads as nothing too. */
export const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

export const flag = z.boolean().default(false);
export const textOrNull = z.string().nullable().default(null);
export const numberOrNull = z.number().nullable().default(null);
export const flagOrNull = z.boolean().nullable().default(null);
export const anything = z.record(z.string(), z.unknown());

export const usage = z.looseObject({ inputTokens: count, outputTokens: count, totalTokens: count });

export const someUsage = usage.default({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });
