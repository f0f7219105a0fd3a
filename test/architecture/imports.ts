import type { Token } from './tokens.ts';

export interface Import {
  /** Null when the target is computed, so that nobody can tell what it is. */
  readonly target: string | null;
  /** True when nothing of it is left after compilation. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** Every static, re-exporting, dynamic and `require`d import in a file. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  const found: Import[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || tokens[index - 1]?.text === '.') return;
    if (token.text === 'import') found.push(...readImport(tokens, index));
    if (token.text === 'export') found.push(...readFrom(tokens, index));
    if (token.text === 'require' && tokens[index + 1]?.text === '(') found.push(readCall(tokens, index));
  });
  return found;
}

function readImport(tokens: readonly Token[], index: number): readonly Import[] {
  const next = tokens[index + 1];
  if (next?.text === '.') return [];
  if (next?.text === '(') return [readCall(tokens, index)];
  if (next?.kind === 'string') return [{ target: next.text, typeOnly: false, line: next.line }];
  return readFrom(tokens, index);
}

function readCall(tokens: readonly Token[], index: number): Import {
  const argument = tokens[index + 2];
  const line = tokens[index]?.line ?? 0;
  return { target: argument?.kind === 'string' ? argument.text : null, typeOnly: false, line };
}

/** `import`/`export` … `from 'target'`; a declaration that is exported has no `from` and is no import. */
function readFrom(tokens: readonly Token[], index: number): readonly Import[] {
  const clause: string[] = [];
  for (const token of tokens.slice(index + 1)) {
    const previous = clause.at(-1);
    if (token.kind === 'string' && previous === 'from') {
      return [{ target: token.text, typeOnly: isTypeOnly(clause.slice(0, -1)), line: token.line }];
    }
    if (token.kind !== 'word' && !['{', '}', ',', '*'].includes(token.text)) return [];
    clause.push(token.text);
  }
  return [];
}

function isTypeOnly(clause: readonly string[]): boolean {
  if (clause[0] === 'type' && clause[1] !== ',') return true;
  if (clause[0] !== '{') return false;
  const names = clause.slice(1, -1).join(' ').split(',');
  return names.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}
