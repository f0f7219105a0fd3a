import type { RunDiff } from '../../contract/runs.ts';
import { cleanCode, cleanLine } from '../text/clean.ts';
import { type Line, line, span } from '../text/paint.ts';

const MAX_LINES = 20_000;

/** What a run changed: the files first, then the patch. */
export function diffLines(diff: RunDiff): readonly Line[] {
  const files = diff.files.map(({ path, added, removed }) =>
    line(
      span(amount('+', added).padStart(7), 'good'),
      span(amount('-', removed).padStart(7), 'bad'),
      span(`  ${cleanLine(path)}`),
    ),
  );
  const untracked = diff.untracked.map((path) =>
    line(span('    new'.padEnd(14), 'attention'), span(`  ${cleanLine(path)} (not added to git)`)),
  );
  const patch = diff.patch === '' ? [] : diff.patch.replace(/\n$/, '').split('\n').slice(0, MAX_LINES);
  const cut = diff.truncated || patch.length === MAX_LINES;
  const nothing = files.length === 0 && untracked.length === 0;
  return [
    ...(nothing ? [line(span('The workspace holds no change against the base branch.', 'quiet'))] : []),
    ...files,
    ...untracked,
    ...(patch.length === 0 ? [] : [line('')]),
    ...patch.map(patchLine),
    ...(cut ? [line(span('The rest is cut: look at the branch.', 'attention'))] : []),
  ];
}

function amount(sign: string, lines: number | null): string {
  return lines === null ? 'bin' : lines === 0 ? '' : `${sign}${lines}`;
}

function patchLine(text: string): Line {
  const clean = cleanCode(text);
  if (/^(?:diff |index |\+\+\+ |--- |new file|deleted file|similarity|rename )/.test(clean)) {
    return line(span(clean, clean.startsWith('diff ') ? 'strong' : 'quiet'));
  }
  if (clean.startsWith('@@')) return line(span(clean, 'name'));
  return line(span(clean, clean.startsWith('+') ? 'good' : clean.startsWith('-') ? 'bad' : 'plain'));
}
