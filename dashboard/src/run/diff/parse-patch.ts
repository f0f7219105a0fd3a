export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly text: string;
  readonly oldNumber: number | null;
  readonly newNumber: number | null;
}

export interface Hunk {
  /** What git says the lines are part of. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  readonly status: 'changed' | 'added' | 'removed';
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

interface OpenFile {
  path: string;
  status: FileDiff['status'];
  binary: boolean;
  added: number;
  removed: number;
  readonly hunks: { readonly heading: string; readonly lines: DiffLine[] }[];
}

/** Git's unified diff as files, hunks and numbered lines. What it does not understand it leaves out; it never throws. */
export function parsePatch(patch: string): readonly FileDiff[] {
  const files: OpenFile[] = [];
  let file: OpenFile | null = null;
  let lines: DiffLine[] | null = null;
  /** Lines the open hunk still has, on each side. */
  let left = { before: 0, after: 0 };
  let next = { before: 0, after: 0 };
  for (const line of linesOf(patch)) {
    if (
      lines !== null &&
      file !== null &&
      (line.startsWith('\\') || (/^[ +-]/.test(line) && left.before + left.after > 0))
    ) {
      takeLine(file, lines, line, left, next);
      continue;
    }
    if (line.startsWith('diff --git ')) {
      file = { path: pathOf(line), status: 'changed', binary: false, added: 0, removed: 0, hunks: [] };
      files.push(file);
      lines = null;
    } else if (file !== null && line.startsWith('@@')) {
      const hunk = readHunk(line);
      if (hunk === null) continue;
      ({ left, next } = hunk);
      lines = [];
      file.hunks.push({ heading: hunk.heading, lines });
    } else if (file !== null) {
      readHeader(file, line);
    }
  }
  return files;
}

function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
  }
}

function takeLine(
  file: OpenFile,
  lines: DiffLine[],
  line: string,
  left: { before: number; after: number },
  next: { before: number; after: number },
): void {
  const text = line.slice(1);
  const mark = line[0] ?? ' ';
  if (mark === '\\') {
    lines.push({ kind: 'note', text: text.trim(), oldNumber: null, newNumber: null });
  } else if (mark === '+') {
    left.after -= 1;
    file.added += 1;
    lines.push({ kind: 'added', text, oldNumber: null, newNumber: next.after++ });
  } else if (mark === '-') {
    left.before -= 1;
    file.removed += 1;
    lines.push({ kind: 'removed', text, oldNumber: next.before++, newNumber: null });
  } else {
    left.before -= 1;
    left.after -= 1;
    lines.push({ kind: 'same', text, oldNumber: next.before++, newNumber: next.after++ });
  }
}

function readHunk(line: string) {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
  if (match === null) return null;
  const [, before = '0', beforeCount = '1', after = '0', afterCount = '1', heading = ''] = match;
  return {
    left: { before: Number(beforeCount), after: Number(afterCount) },
    next: { before: Number(before), after: Number(after) },
    heading,
  };
}

function readHeader(file: OpenFile, line: string): void {
  if (line.startsWith('new file')) file.status = 'added';
  else if (line.startsWith('deleted file')) file.status = 'removed';
  else if (line.startsWith('Binary files') || line.startsWith('GIT binary patch')) file.binary = true;
  else if (line.startsWith('+++ ') || line.startsWith('--- ')) {
    const path = unquote(line.slice(4).replace(/\t$/, ''));
    if (path !== '/dev/null') file.path = path.slice(2);
  }
}

/** `diff --git a/x b/x`: both are the same path where renames are not looked for. */
function pathOf(line: string): string {
  const rest = line.slice('diff --git '.length);
  if (rest.startsWith('"')) return unquote(rest.slice(0, rest.length / 2)).slice(2);
  return rest.slice(2, (rest.length - 1) / 2);
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  b: 8,
  f: 12,
  v: 11,
  a: 7,
  '"': 34,
  '\\': 92,
};

/** Git quotes paths with odd characters in C's way, byte by byte. */
function unquote(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path;
  const bytes: number[] = [];
  for (const [part] of path.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gsu)) {
    if (/^\\[0-7]/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith('\\')) bytes.push(ESCAPES[part.slice(1)] ?? part.charCodeAt(1));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
