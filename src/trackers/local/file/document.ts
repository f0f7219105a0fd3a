import { sameState } from '../../../domain/state-name.ts';
import { normaliseLabels } from '../../fields.ts';
import type { FrontMatter, IssueComment, IssueContent } from '../schema.ts';
import {
  type FrontMatterValue,
  type Reading,
  readFrontMatter,
  renderFrontMatter,
  setFrontMatterValue,
} from './front-matter.ts';

/**
 * The text of an issue file: YAML front matter, the description, then comments:
 *
 *     ## Comments
 *
 *     ### ada, 2026-03-01T09:30:00.000Z
 *
 *     The comment.
 *
 * A line of text that looks like one of these two headings is written with a backslash in front, which Markdown
 * does not show, so that every description and comment reads back as it was given.
 */
const HEADING = '## Comments';
const STRUCTURE = /^\\*(?:## Comments|### .*\S, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)\s*$/;
const COMMENT_LINE = /^### (.*\S), (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)\s*$/;
const FENCE = /^---[ \t]*$/;

interface Parts {
  /** Up to and including the line that opens the front matter; may hold a byte-order mark. */
  readonly open: string;
  readonly yaml: string;
  /** The line that closes it. */
  readonly close: string;
  readonly body: string;
  readonly eol: string;
}

/** Reads a whole issue file. */
export function parseIssueText(text: string): Reading<IssueContent> {
  const parts = splitParts(text);
  if (!parts.ok) return parts;
  const fields = readFrontMatter(parts.value.yaml);
  if (!fields.ok) return fields;
  return { ok: true, value: { fields: fields.value, ...parseBody(parts.value.body, parts.value.eol) } };
}

/** The text of a new issue file. */
export function renderIssueText(fields: FrontMatter, description: string): string {
  const body = description === '' ? '' : `\n${escapeStructure(description)}\n`;
  return `---\n${renderFrontMatter(fields)}---\n${body}`;
}

/** Changes the state; the rest of the file stays byte for byte, except `updated_at`. */
export function withState(text: string, state: string, at: string): string {
  return editYaml(text, (yaml, eol) =>
    setFrontMatterValue(setFrontMatterValue(yaml, 'state', state, eol), 'updated_at', at, eol),
  );
}

/** What a person may change; what is undefined stays. */
export interface FieldChanges {
  readonly title?: string | undefined;
  readonly state?: string | undefined;
  readonly priority?: number | null | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/** Changes what differs from `content`, which the text says; every other byte stays, except `updated_at`. */
export function withFields(text: string, content: IssueContent, changes: FieldChanges, at: string): string {
  const { fields } = content;
  const values: [key: string, value: FrontMatterValue][] = [];
  if (changes.title !== undefined && changes.title !== fields.title) values.push(['title', changes.title]);
  if (changes.state !== undefined && !sameState(changes.state, fields.state))
    values.push(['state', changes.state]);
  if (changes.priority !== undefined && changes.priority !== fields.priority)
    values.push(['priority', changes.priority]);
  const labels = changes.labels === undefined ? fields.labels : normaliseLabels(changes.labels);
  if (JSON.stringify(labels) !== JSON.stringify(fields.labels)) values.push(['labels', labels]);
  const described = withDescription(text, content, changes.description);
  if (values.length === 0 && described === text) return text;
  return editYaml(described, (yaml, eol) =>
    [...values, ['updated_at', at] as const].reduce(
      (edited, [key, value]) => setFrontMatterValue(edited, key, value, eol),
      yaml,
    ),
  );
}

/** Line ends do not count: a browser has its own. The comments stay as they are. */
function withDescription(text: string, content: IssueContent, wanted: string | undefined): string {
  const parts = splitParts(text);
  const description = wanted?.replaceAll('\r\n', '\n').trimEnd();
  if (description === undefined || !parts.ok) return text;
  if (description === content.description.replaceAll('\r\n', '\n').trimEnd()) return text;
  const { open, yaml, close, body, eol } = parts.value;
  const lines = body.split(/(?<=\n)/);
  const heading = findHeading(lines);
  const comments = heading === -1 ? '' : `${eol}${lines.slice(heading).join('')}`;
  const own = description === '' ? '' : `\n${escapeStructure(description)}\n`.replaceAll('\n', eol);
  return `${open}${yaml}${close}${own}${comments}`;
}

/** Appends a comment; nothing that was there before changes, except `updated_at`. */
export function withComment(text: string, comment: IssueComment): string {
  const parts = splitParts(text);
  if (!parts.ok) return text;
  const { body, eol } = parts.value;
  const author = comment.author.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim() || 'unknown';
  const heading = findHeading(body.split(/(?<=\n)/)) === -1 ? `${eol}${HEADING}${eol}` : '';
  const entry = `${eol}### ${author}, ${comment.at}${eol}${eol}${escapeStructure(comment.body)}${eol}`;
  const complete = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  return editYaml(`${complete}${heading}${entry}`, (yaml) =>
    setFrontMatterValue(yaml, 'updated_at', comment.at, eol),
  );
}

function editYaml(text: string, edit: (yaml: string, eol: string) => string): string {
  const parts = splitParts(text);
  if (!parts.ok) return text;
  const { open, yaml, close, body, eol } = parts.value;
  return `${open}${edit(yaml, eol)}${close}${body}`;
}

function splitParts(text: string): Reading<Parts> {
  const lines = text.split(/(?<=\n)/);
  const first = lines[0] ?? '';
  if (!FENCE.test(stripEol(first).replace(/^\uFEFF/, ''))) {
    return {
      ok: false,
      problem: text.trim() === '' ? 'the file is empty' : 'it does not start with a "---" line',
    };
  }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(stripEol(line)));
  if (end === -1) return { ok: false, problem: 'the front matter has no closing "---" line' };
  return {
    ok: true,
    value: {
      open: first,
      yaml: lines.slice(1, end).join(''),
      close: lines[end] ?? '',
      body: lines.slice(end + 1).join(''),
      eol: first.endsWith('\r\n') ? '\r\n' : '\n',
    },
  };
}

function parseBody(body: string, eol: string): Pick<IssueContent, 'description' | 'comments'> {
  const lines = body.split(/(?<=\n)/);
  const heading = findHeading(lines);
  if (heading === -1) return { description: unframe(body, eol), comments: [] };
  const starts: number[] = [];
  for (let index = heading + 1; index < lines.length; index += 1) {
    if (COMMENT_LINE.test(lines[index] ?? '')) starts.push(index);
  }
  const comments = starts.map((start, index): IssueComment => {
    const [, author = '', at = ''] = COMMENT_LINE.exec(lines[start] ?? '') ?? [];
    const next = starts[index + 1];
    const text = lines.slice(start + 1, next).join('');
    // The blank line before a next comment belongs to that one.
    return { author, at, body: unframe(next === undefined ? text : dropEnd(text, eol), eol) };
  });
  const before = dropEnd(lines.slice(0, heading).join(''), eol);
  return { description: unframe(before, eol), comments };
}

/** The first heading that starts comments: one with a comment, or nothing, after it. */
function findHeading(lines: readonly string[]): number {
  return lines.findIndex((line, index) => {
    if (line.trimEnd() !== HEADING) return false;
    let next = index + 1;
    while (next < lines.length && lines[next]?.trim() === '') next += 1;
    return next === lines.length || COMMENT_LINE.test(lines[next] ?? '');
  });
}

/** Takes off the line break before and after a text, and the escapes in it. */
function unframe(text: string, eol: string): string {
  const inner = dropEnd(text.startsWith(eol) ? text.slice(eol.length) : text, eol);
  return inner
    .split('\n')
    .map((line) => (line.startsWith('\\') && STRUCTURE.test(line) ? line.slice(1) : line))
    .join('\n');
}

function escapeStructure(text: string): string {
  return text
    .split('\n')
    .map((line) => (STRUCTURE.test(line) ? `\\${line}` : line))
    .join('\n');
}

function dropEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

function stripEol(line: string): string {
  return line.replace(/\r?\n$/, '');
}
