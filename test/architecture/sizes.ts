import { type Token, tokenize } from './tokens.ts';

export interface FunctionSize {
  readonly name: string;
  readonly line: number;
  /** Lines of code, those of functions inside it too. */
  readonly lines: number;
}

interface Body {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** Lines that hold code: no blank lines, no comments. */
export function codeLines(source: string): number {
  return linesWithCode(tokenize(source)).size;
}

export function functionSizes(source: string): readonly FunctionSize[] {
  const tokens = tokenize(source);
  const occupied = [...linesWithCode(tokens)];
  const bodies = functionBodies(tokens);
  return bodies.map(({ name, first, last }) => ({
    name,
    line: first,
    lines: occupied.filter((line) => line >= first && line <= last).length,
  }));
}

function linesWithCode(tokens: readonly Token[]): Set<number> {
  const lines = new Set<number>();
  for (const token of tokens) {
    const height = token.kind === 'template' ? token.text.split('\n').length : 1;
    for (let offset = 0; offset < height; offset += 1) lines.add(token.line + offset);
  }
  return lines;
}

/** Words before a parenthesis that make the block after it no function body. */
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await']);

function functionBodies(tokens: readonly Token[]): readonly Body[] {
  const closing = matchBrackets(tokens);
  const found: Body[] = [];
  tokens.forEach((token, index) => {
    const open = bodyStart(tokens, closing, index);
    const close = open === null ? undefined : closing.get(open);
    if (open === null || close === undefined) return;
    found.push({
      name: nameBefore(tokens, index),
      first: token.line,
      last: tokens[close]?.line ?? token.line,
    });
  });
  return found;
}

/** The index of the `{` that opens the body of the function whose `(` or `=>` is at `index`. */
function bodyStart(
  tokens: readonly Token[],
  closing: ReadonlyMap<number, number>,
  index: number,
): number | null {
  const token = tokens[index];
  if (token?.text === '=>' && token.kind === 'punctuation')
    return tokens[index + 1]?.text === '{' ? index + 1 : null;
  if (token?.text !== '(' || token.kind !== 'punctuation') return null;
  const before = tokens[index - 1];
  if (before === undefined || (before.kind === 'word' && CONTROL.has(before.text))) return null;
  const close = closing.get(index);
  if (close === undefined) return null;
  if (tokens[close + 1]?.text === '{') return close + 1;
  return tokens[close + 1]?.text === ':' ? afterReturnType(tokens, closing, close + 2) : null;
}

/** Tokens after which a `{` still belongs to a type. */
const TYPE_GOES_ON = new Set([':', '|', '&', ',', '=>', '<', 'is', 'extends', 'readonly', '?']);

function afterReturnType(
  tokens: readonly Token[],
  closing: ReadonlyMap<number, number>,
  start: number,
): number | null {
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? '';
    const previous = tokens[index - 1]?.text ?? '';
    if (text === '{' && !TYPE_GOES_ON.has(previous)) return index;
    if (['{', '(', '['].includes(text)) index = closing.get(index) ?? tokens.length;
    else if ([';', ')', ']', '}', '='].includes(text)) return null;
  }
  return null;
}

/** The name beside the parenthesis, or the constant an arrow function is given to. */
function nameBefore(tokens: readonly Token[], index: number): string {
  if (tokens[index]?.text === '(') return tokens[index - 1]?.text ?? '';
  for (let at = index; at > Math.max(1, index - 40); at -= 1) {
    if (tokens[at]?.text === 'const') return tokens[at + 1]?.text ?? '';
    if ([';', '}'].includes(tokens[at]?.text ?? '')) break;
  }
  return 'arrow function';
}

function matchBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, text }, index) => {
    if (kind !== 'punctuation') return;
    if (['(', '[', '{'].includes(text)) open.push(index);
    if (![')', ']', '}'].includes(text)) return;
    const start = open.pop();
    if (start !== undefined) closing.set(start, index);
  });
  return closing;
}
