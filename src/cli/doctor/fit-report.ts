import { wrapTo } from '../terminal/text-width.ts';
import { paint, type Tone } from '../terminal/tones.ts';

const INDENT = 6;
const MIN_COLUMNS = 40;
const TONES: Readonly<Record<string, Tone>> = {
  'ok  ': 'good',
  WARN: 'attention',
  FAIL: 'bad',
  '-   ': 'quiet',
};

/** The report of the doctor on a terminal: long lines go on under themselves, and each mark has its colour. */
export function fitReport(report: string, columns: number | null, color: boolean): string {
  if (columns === null) return report;
  const room = Math.max(MIN_COLUMNS, columns) - INDENT;
  return report
    .split('\n')
    .map((line) => {
      const head = line.slice(0, INDENT);
      const mark = TONES[head.slice(0, 4)];
      if (mark === undefined && head.trim() !== '') return wrapTo(line, room + INDENT).join('\n');
      const body = wrapTo(line.slice(INDENT), room).join(`\n${' '.repeat(INDENT)}`);
      return `${paint(head.trimEnd(), mark ?? 'plain', color)}${' '.repeat(INDENT - head.trimEnd().length)}${body}`.trimEnd();
    })
    .join('\n');
}
