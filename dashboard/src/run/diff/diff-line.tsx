import { memo } from 'react';
import type { DiffRow } from './derive-rows.ts';
import { colourLines, languageOf } from './highlight.ts';
import type { FileDiff, Hunk } from './parse-patch.ts';
import { type Coloured, changedRanges, markChanges } from './segments.ts';

/** The rest of a longer line is counted, not drawn. */
const MAX_SHOWN = 2_000;
const MARKS = { same: ' ', added: '+', removed: '-', note: '\\' } as const;

export const DiffLineRow = memo(function DiffLineRow({ row }: { row: Extract<DiffRow, { kind: 'line' }> }) {
  const { line } = row;
  const rest = line.text.length - MAX_SHOWN;
  return (
    <div className={`diff-line diff-${line.kind}`}>
      <span className="diff-number">{line.oldNumber ?? ''}</span>
      <span className="diff-number">{line.newNumber ?? ''}</span>
      <span className="diff-mark">{MARKS[line.kind]}</span>
      <code className="diff-code">
        {segmentsOf(row).map(({ text, className, changed }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line have no other name
          <span key={index} className={changed ? `${className} diff-word` : className}>
            {text}
          </span>
        ))}
        {rest > 0 && <em className="diff-rest"> … {rest.toLocaleString('en-US')} more characters</em>}
      </code>
    </div>
  );
});

function segmentsOf({ file, hunk, index, line, partner }: Extract<DiffRow, { kind: 'line' }>) {
  if (line.text.length > MAX_SHOWN)
    return [{ text: line.text.slice(0, MAX_SHOWN), className: '', changed: false }];
  const coloured = coloursOf(file, hunk)?.get(index) ?? [{ text: line.text, className: '' }];
  const side = line.kind === 'removed' ? 'before' : 'after';
  const ranges = partner === null ? [] : changedRanges(line.text, partner.text, side);
  return markChanges(coloured, ranges);
}

type Colours = ReadonlyMap<number, readonly Coloured[]>;
const known = new WeakMap<Hunk, Colours>();

/** A hunk is coloured when one of its lines is seen, each side as a text of its own. */
function coloursOf(file: FileDiff, number: number): Colours | null {
  const hunk = file.hunks[number];
  if (hunk === undefined) return null;
  const before = known.get(hunk);
  if (before !== undefined) return before;
  const language = languageOf(file.path);
  const colours = new Map<number, readonly Coloured[]>();
  for (const side of ['removed', 'added'] as const) {
    const lines = hunk.lines.flatMap((line, index) =>
      line.kind === side || line.kind === 'same' ? [{ index, text: line.text }] : [],
    );
    const coloured = colourLines(lines.map(({ text }) => text).join('\n'), language);
    for (const [position, { index }] of lines.entries()) colours.set(index, coloured[position] ?? []);
  }
  known.set(hunk, colours);
  return colours;
}
