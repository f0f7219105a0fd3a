import { redactTexts } from '../../observability/redact-texts.ts';

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

/** Every text of what went wrong, which may quote a tracker, a file or an address. */
export function cleanTroubles<T>(troubles: T, redact: Redact): T {
  return redactTexts(troubles, (text) => cut(redact(text)));
}
