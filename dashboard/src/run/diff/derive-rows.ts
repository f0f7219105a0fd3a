import type { DiffLine, FileDiff } from './parse-patch.ts';

/** One row of the list of changes. */
export type DiffRow =
  | { readonly kind: 'file'; readonly key: string; readonly file: FileDiff; readonly folded: string | null }
  | { readonly kind: 'hunk'; readonly key: string; readonly heading: string }
  | {
      readonly kind: 'line';
      readonly key: string;
      readonly file: FileDiff;
      readonly hunk: number;
      readonly index: number;
      readonly line: DiffLine;
      /** The line on the other side that it replaces or is replaced by. */
      readonly partner: DiffLine | null;
    }
  | { readonly kind: 'note'; readonly key: string; readonly text: string };

/** More changed lines than this in one file are folded until somebody wants them. */
const MAX_LINES = 1_500;
/** And files after so many lines in all. */
const MAX_ALL_LINES = 40_000;
const MADE_BY_PROGRAMS =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|composer\.lock)$|\.min\.(?:js|css)$|\.map$/;

/** Why each folded file is folded. */
export function foldedFiles(files: readonly FileDiff[]): ReadonlyMap<string, string> {
  const folded = new Map<string, string>();
  let all = 0;
  for (const file of files) {
    const lines = file.added + file.removed;
    const why = MADE_BY_PROGRAMS.test(file.path)
      ? 'made by a program'
      : lines > MAX_LINES
        ? 'large'
        : all + lines > MAX_ALL_LINES
          ? 'beyond what is shown at once'
          : null;
    if (why === null) all += lines;
    else folded.set(file.path, `${lines.toLocaleString('en-US')} changed lines folded: ${why}`);
  }
  return folded;
}

/** The rows of all files; `folded` tells why a file shows its name only. */
export function deriveRows(
  files: readonly FileDiff[],
  folded: ReadonlyMap<string, string>,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  for (const file of files) {
    const why = folded.get(file.path) ?? null;
    rows.push({ kind: 'file', key: file.path, file, folded: why });
    if (why !== null) continue;
    if (file.binary) rows.push({ kind: 'note', key: `${file.path}:binary`, text: 'Binary file' });
    for (const [number, hunk] of file.hunks.entries()) {
      rows.push({ kind: 'hunk', key: `${file.path}:${number}`, heading: hunk.heading });
      const partners = partnersOf(hunk.lines);
      for (const [index, line] of hunk.lines.entries()) {
        const key = `${file.path}:${number}:${index}`;
        const partner = partners.get(index) ?? null;
        rows.push({ kind: 'line', key, file, hunk: number, index, line, partner });
      }
    }
  }
  return rows;
}

/** Which removed line became which added one: the n-th of a block became the n-th of the block after it. */
function partnersOf(lines: readonly DiffLine[]): ReadonlyMap<number, DiffLine> {
  const partners = new Map<number, DiffLine>();
  let index = 0;
  while (index < lines.length) {
    const removed = runOf(lines, index, 'removed');
    const added = runOf(lines, index + removed, 'added');
    for (let offset = 0; offset < Math.min(removed, added); offset += 1) {
      const [before, after] = [lines[index + offset], lines[index + removed + offset]];
      if (before === undefined || after === undefined) continue;
      partners.set(index + offset, after);
      partners.set(index + removed + offset, before);
    }
    index += Math.max(1, removed + added);
  }
  return partners;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count += 1;
  return count;
}
