import { z } from 'zod';
import { normaliseLabels, normalisePriority } from '../fields.ts';

/** Larger files are not issues: they are never read into memory, nor produced. */
export const MAX_FILE_BYTES = 1024 * 1024;
export const MAX_COMMENT_BYTES = 64 * 1024;

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** An identifier is also a file stem, so nothing in it can leave the folder. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** What identifiers of new issues start with: `TASK` makes TASK-1, TASK-2 … */
export function isIssuePrefix(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(text);
}

const requiredText = z.string('is missing').trim().min(1, 'is empty');
const optionalText = z
  .string()
  .trim()
  .nullable()
  .transform((text) => (text === '' ? null : text));

/** The front matter of an issue file, after YAML. Unusable optional values never make an issue malformed. */
export const FrontMatter = z.object({
  title: requiredText,
  state: requiredText,
  priority: z.unknown().transform(normalisePriority),
  labels: z.array(z.string()).transform(normaliseLabels),
  blocked_by: z.array(z.string()).transform(distinctTexts),
  assignee: optionalText,
  author: optionalText,
  branch: optionalText,
  url: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
});
export type FrontMatter = z.infer<typeof FrontMatter>;

export interface IssueComment {
  readonly author: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly body: string;
}

/** What an issue file says. */
export interface IssueContent {
  readonly fields: FrontMatter;
  /** Exactly as written, without the blank lines that frame it. */
  readonly description: string;
  readonly comments: readonly IssueComment[];
}

function distinctTexts(values: readonly string[]): readonly string[] {
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))];
}
