import { AppError } from '../errors/app-error.ts';
import { type AppContext, rawPath } from './app-env.ts';

/** A whole number from the query. Throws `invalid_request` for anything else. */
export function numberFrom(
  c: AppContext,
  name: string,
  { least, most, fallback }: { readonly least: number; readonly most: number; readonly fallback: number },
): number {
  const text = c.req.query(name);
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
  throw new AppError('invalid_request', `"${name}" must be a whole number from ${least} to ${most}`, {
    hint: `Correct it, or leave it out: then it is ${fallback}.`,
  });
}

/** One of these words from the query, or the fallback. */
export function wordFrom<Word extends string, Fallback>(
  c: AppContext,
  name: string,
  words: readonly Word[],
  fallback: Fallback,
): Word | Fallback {
  const text = c.req.query(name);
  if (text === undefined || text === '') return fallback;
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new AppError('invalid_request', `"${name}" must be one of ${words.join(', ')}`, {
    hint: 'Correct it, or leave it out.',
  });
}

/** The path below a prefix, cut at the slashes and decoded. */
export function segmentsBelow(c: AppContext, prefix: string): string[] {
  return rawPath(c).slice(prefix.length).split('/').map(decodeSegment);
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw new AppError('invalid_request', 'the address is not valid percent-encoding', {
      hint: 'Encode the identifier as UTF-8, e.g. with encodeURIComponent.',
      cause: error,
    });
  }
}
