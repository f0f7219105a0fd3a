/**
 * A small lexer for TypeScript and TSX: enough to see imports, names and braces, without comments and without being
 * fooled by strings, templates and regular expressions.
 */
export interface Token {
  readonly kind: 'word' | 'string' | 'template' | 'regex' | 'number' | 'punctuation';
  /** For a string, its content without quotes. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

const WORD_START = /[\p{ID_Start}_$#]/u;
const WORD = /[\p{ID_Continue}$#]+/uy;
const NUMBER = /[\d._a-zA-Z]+/y;
const PUNCTUATION = /=>|\?\.(?!\d)|\.\.\.|./suy;
/** After these words a slash starts a regular expression, not a division. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'await',
  'yield',
]);

export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  readTokens({ source, position: 0, line: 1 }, tokens, false);
  return tokens;
}

interface Cursor {
  readonly source: string;
  position: number;
  line: number;
}

/** Reads to the end, or to the brace that closes a template substitution. */
function readTokens(cursor: Cursor, tokens: Token[], inTemplate: boolean): void {
  let depth = 0;
  while (cursor.position < cursor.source.length) {
    if (skipBlank(cursor)) continue;
    const character = cursor.source.charAt(cursor.position);
    if (inTemplate && character === '}' && depth === 0) return;
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    readToken(cursor, tokens, character);
  }
}

function readToken(cursor: Cursor, tokens: Token[], character: string): void {
  const line = cursor.line;
  if (character === '`') {
    const [at, start] = [tokens.length, cursor.position];
    readTemplate(cursor, tokens);
    tokens.splice(at, 0, { kind: 'template', text: cursor.source.slice(start, cursor.position), line });
  } else if ((character === '"' || character === "'") && !followsLetter(cursor)) {
    tokens.push({ kind: 'string', text: readString(cursor, character), line });
  } else if (character === '/' && regexMayStart(tokens.at(-1))) {
    tokens.push({ kind: 'regex', text: readRegex(cursor), line });
  } else if (WORD_START.test(character)) {
    tokens.push({ kind: 'word', text: readPattern(cursor, WORD), line });
  } else if (/\d/.test(character)) {
    tokens.push({ kind: 'number', text: readPattern(cursor, NUMBER), line });
  } else {
    tokens.push({ kind: 'punctuation', text: readPattern(cursor, PUNCTUATION), line });
  }
}

function skipBlank(cursor: Cursor): boolean {
  const { source, position } = cursor;
  if (/\s/.test(source.charAt(position))) {
    advance(cursor, position + 1);
    return true;
  }
  const end = source.startsWith('//', position) ? '\n' : source.startsWith('/*', position) ? '*/' : null;
  if (end === null) return false;
  const found = source.indexOf(end, position + 2);
  advance(cursor, found === -1 ? source.length : found + (end === '\n' ? 0 : 2));
  return true;
}

/** An apostrophe inside a word is text between JSX tags. */
function followsLetter(cursor: Cursor): boolean {
  return /\w/.test(cursor.source.charAt(cursor.position - 1));
}

/** A string ends at its quote, or at the end of the line if the quote was only text between JSX tags. */
function readString(cursor: Cursor, quote: string): string {
  const start = cursor.position + 1;
  let end = start;
  while (end < cursor.source.length && cursor.source[end] !== quote && cursor.source[end] !== '\n') {
    end += cursor.source[end] === '\\' ? 2 : 1;
  }
  advance(cursor, Math.min(end + 1, cursor.source.length));
  return cursor.source.slice(start, end);
}

function readTemplate(cursor: Cursor, tokens: Token[]): void {
  advance(cursor, cursor.position + 1);
  while (cursor.position < cursor.source.length) {
    if (cursor.source.startsWith('${', cursor.position)) {
      advance(cursor, cursor.position + 2);
      readTokens(cursor, tokens, true);
    }
    const character = cursor.source[cursor.position];
    advance(cursor, cursor.position + (character === '\\' ? 2 : 1));
    if (character === '`') return;
  }
}

function regexMayStart(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return BEFORE_REGEX.has(previous.text);
  return previous.kind === 'punctuation' && ![')', ']', '}', '<'].includes(previous.text);
}

function readRegex(cursor: Cursor): string {
  const start = cursor.position;
  let end = start + 1;
  for (let inClass = false; end < cursor.source.length; end += 1) {
    const character = cursor.source[end];
    if (character === '\n' || (character === '/' && !inClass)) break;
    if (character === '\\') end += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
  }
  advance(cursor, end + 1);
  readPattern(cursor, /[a-z]*/y);
  return cursor.source.slice(start, cursor.position);
}

function readPattern(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.position;
  const text = pattern.exec(cursor.source)?.[0] ?? '';
  advance(cursor, cursor.position + text.length);
  return text;
}

function advance(cursor: Cursor, to: number): void {
  for (let index = cursor.position; index < to; index += 1)
    if (cursor.source[index] === '\n') cursor.line += 1;
  cursor.position = to;
}
