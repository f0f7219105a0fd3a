import { type Token, tokenize } from '../architecture/tokens.ts';

/** One place where the title of a test names a line of the SPEC. */
export interface Citation {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly title: string;
}

const ID = /\bR-(?:A|\d+)(?:\.\d+)*-[a-z0-9]+\b/g;
/** Two ids in a range or a list without their names: what is meant cannot be checked. */
const ABBREVIATED = /\bR-[A\d][\w.]*-[a-z0-9]+(?:\s*\.\.|,\s*[a-z]\d?\b(?!\w)(?=[,)]))/;
const TEST_CALLS = new Set(['it', 'test', 'describe']);

/** Files whose tests count: tests themselves, and the suites that every adapter runs. */
export function holdsTests(path: string): boolean {
  return /^(?:src|test|dashboard)\/.*\.test\.tsx?$/.test(path) || /^test\/contracts\/[^/]+\.ts$/.test(path);
}

export function idsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(ID)].map(([id]) => id))];
}

export function isAbbreviated(title: string): boolean {
  return ABBREVIATED.test(title);
}

export function citationsIn(path: string, source: string): readonly Citation[] {
  return titlesIn(source).flatMap(({ title, line }) => idsIn(title).map((id) => ({ id, path, line, title })));
}

export interface Title {
  readonly title: string;
  readonly line: number;
}

/** Titles of `it(…)`, `test(…)` and `describe(…)`, also of their `.each(…)(…)` and `.runIf(…)(…)` forms. */
export function titlesIn(source: string): readonly Title[] {
  const tokens = tokenize(source);
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || !TEST_CALLS.has(token.text) || tokens[index - 1]?.text === '.') return [];
    const open = lastCall(tokens, index + 1);
    const title = open === null ? '' : firstArgument(tokens, open);
    return title === '' ? [] : [{ title, line: tokens[open ?? index]?.line ?? token.line }];
  });
}

/** The parenthesis that opens the last call of a chain such as `.each(…)(…)`. */
function lastCall(tokens: readonly Token[], start: number): number | null {
  let open: number | null = null;
  for (let index = start; index < tokens.length; ) {
    const token = tokens[index];
    if (token?.text === '.' && token.kind === 'punctuation') index += 2;
    else if (token?.kind === 'template') index += 1;
    else if (token?.text === '<' && open === null) index = closing(tokens, index) + 1;
    else if (token?.text === '(' && token.kind === 'punctuation') {
      open = index;
      index = closing(tokens, index) + 1;
    } else return open;
  }
  return open;
}

/** The texts of the first argument, joined; empty when it holds none. */
function firstArgument(tokens: readonly Token[], open: number): string {
  const texts: string[] = [];
  for (let index = open + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind === 'string' || token?.kind === 'template') texts.push(token.text);
    else if (token?.text !== '+') break;
  }
  return texts.join('');
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '<': '>' };

/** The index of the token that closes the call or the type arguments opened at `open`. */
function closing(tokens: readonly Token[], open: number): number {
  const opens = tokens[open]?.text ?? '';
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind !== 'punctuation') continue;
    if (token.text === opens) depth += 1;
    else if (token.text === CLOSES[opens]) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}
