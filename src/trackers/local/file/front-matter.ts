import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import { isYamlTooDeep } from '../../../domain/nesting.ts';
import { FrontMatter } from '../schema.ts';

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** One line per value: folding long or multi-line texts would lose blanks in some of them. */
const WRITE_OPTIONS = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
};

const TEXT_KEYS = [
  'title',
  'state',
  'assignee',
  'author',
  'branch',
  'url',
  'created_at',
  'updated_at',
] as const;
const LIST_KEYS = ['labels', 'blocked_by'] as const;

/** More is no list of a few fields; the time a parser takes stays small up to here, whatever the text. */
const MAX_YAML_CHARACTERS = 32 * 1024;

/** Reads the YAML between the `---` lines. */
export function readFrontMatter(yaml: string): Reading<FrontMatter> {
  const unfit = whyUnfit(yaml);
  if (unfit !== null) return { ok: false, problem: unfit };
  const document = parse(yaml);
  const firstError = document.errors[0];
  if (firstError !== undefined) {
    return { ok: false, problem: `the front matter is not valid YAML: ${describeYamlError(firstError)}` };
  }
  if (!isMap(document.contents)) {
    return { ok: false, problem: 'the front matter is not a list of "key: value" lines' };
  }
  const raw: Record<string, unknown> = {};
  for (const key of TEXT_KEYS) raw[key] = scalarText(valueNode(document, key));
  for (const key of LIST_KEYS) raw[key] = listTexts(valueNode(document, key));
  const priority = valueNode(document, 'priority');
  raw['priority'] = isScalar(priority) ? priority.value : null;
  const parsed = FrontMatter.safeParse(raw);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: describeIssues(parsed.error) };
}

/** What a key can be set to. */
export type FrontMatterValue = string | number | readonly string[] | null;

/**
 * Sets one value and leaves every other byte alone: comments, quoting, key order, unknown keys.
 * Where a splice cannot express the change (a flow map, a block scalar), the YAML is written anew, comments kept.
 */
export function setFrontMatterValue(yaml: string, key: string, value: FrontMatterValue, eol: string): string {
  const before = parse(yaml);
  const node = before.get(key, true);
  const written = stringify(value, { ...WRITE_OPTIONS, collectionStyle: 'flow' }).trimEnd();
  const spliced =
    !(isScalar(node) || isSeq(node)) || node.range == null
      ? `${yaml}${yaml === '' || yaml.endsWith('\n') ? '' : eol}${key}: ${written}${eol}`
      : splice(yaml, node.range[0], endOfValue(yaml, node.range[0], node.range[1]), written);
  before.set(key, value);
  const wanted = plainText(before);
  if (wanted !== null && plainText(parse(spliced)) === wanted) return spliced;
  return before.toString(WRITE_OPTIONS).replaceAll('\n', eol);
}

/** With the line of the file: the front matter begins on its second. */
function describeYamlError({ message, linePos }: YAMLError): string {
  const [first = ''] = message.split('\n');
  const text = first.replace(/ at line \d+, column \d+:?$/, '');
  const line = linePos?.[0].line;
  return line === undefined ? text : `${text} (line ${line + 1})`;
}

/** Renders the YAML of a new issue; keys without a value are left out. */
export function renderFrontMatter(fields: FrontMatter): string {
  const written = Object.entries(fields).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return stringify(Object.fromEntries(written), WRITE_OPTIONS);
}

/** Judged before the parser sees it: a text can be small and still exhaust its stack. */
function whyUnfit(yaml: string): string | null {
  if (yaml.length > MAX_YAML_CHARACTERS)
    return `the front matter is larger than ${MAX_YAML_CHARACTERS / 1024} KiB`;
  return isYamlTooDeep(yaml) ? 'the front matter is nested too deeply' : null;
}

function parse(yaml: string): Document.Parsed {
  return parseDocument(yaml, { logLevel: 'silent', prettyErrors: true });
}

/** The data of a document, comparable; null when it has errors or its aliases explode. */
function plainText(document: Document.Parsed): string | null {
  if (document.errors.length > 0) return null;
  try {
    return JSON.stringify(document.toJS());
  } catch {
    return null;
  }
}

/** A list that is written over several lines reaches to the key after it. */
function endOfValue(yaml: string, start: number, end: number): number {
  return start + yaml.slice(start, end).trimEnd().length;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  const gap = text[start - 1] === ':' ? ' ' : '';
  return `${text.slice(0, start)}${gap}${replacement}${text.slice(end)}`;
}

function valueNode(document: Document.Parsed, key: string): unknown {
  const node = document.get(key, true);
  return isAlias(node) ? node.resolve(document) : node;
}

/** What was written: `title: 404` and `state: yes` are texts here, whatever YAML makes of them. */
function scalarText(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** A YAML list, or one text with commas. */
function listTexts(node: unknown): readonly string[] {
  if (isSeq(node)) return node.items.map(scalarText).filter((text) => text !== null);
  return scalarText(node)?.split(',') ?? [];
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join(', ');
}
