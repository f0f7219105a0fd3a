import type { StateSnapshot } from '../../contract/state.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

export const asItIs: Redact = (text) => text;

const WRITTEN = ['title', 'reason', 'agent_reason', 'error', 'question', 'summary', 'message'] as const;

/** A text in a list is cut after so many characters; nobody reads on, and a list has many. */
const MAX_TEXT_LENGTH = 4000;

/** A row with the texts people or machines outside wrote, cleaned and cut. What agents say was cleaned when they said it. */
export function cleanRow<T extends object>(row: T, redact: Redact): T {
  const cleaned = { ...row };
  for (const key of WRITTEN) {
    const text: unknown = Reflect.get(row, key);
    if (typeof text === 'string') Object.assign(cleaned, { [key]: cut(redact(text)) });
  }
  return cleaned;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/** What went wrong, in words that may quote a tracker, a file or an address. */
export function cleanTroubles(
  troubles: Pick<StateSnapshot, 'last_poll' | 'config' | 'preflight' | 'warnings' | 'journal'>,
  redact: Redact,
): typeof troubles {
  const { last_poll: poll, config, preflight, warnings, journal } = troubles;
  return {
    warnings: warnings.map((warning) => ({
      ...cleanRow(warning, redact),
      fix: warning.fix === null ? null : redact(warning.fix),
    })),
    last_poll: poll === null ? null : cleanRow(poll, redact),
    config:
      config.reload_error === undefined ? config : { ...config, reload_error: redact(config.reload_error) },
    preflight: { ...preflight, errors: preflight.errors.map((error) => cleanRow(error, redact)) },
    journal: { ...journal, problem: journal.problem === null ? null : redact(journal.problem) },
  };
}
