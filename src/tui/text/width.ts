import stringWidth from 'string-width';

/** Texts of characters that take one column each; everything else is measured. The signs of the board are among them. */
const NARROW =
  /^[\x20-\x7E\xA1-\xAC\xAE-\u02FF\u2010-\u2027\u2190-\u2199\u21BB\u23CE\u2500-\u259F\u25B8\u25C6\u25CB\u25CF\u25D0\u2713\u2717]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The columns a terminal gives a clean text. */
export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** The text in at most so many columns, with an ellipsis where it is cut; no character is cut in half. */
export function fitTo(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (NARROW.test(text)) {
    return text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`;
  }
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Exactly so many columns: cut, or filled with spaces. */
export function padTo(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const fitted = fitTo(text, columns);
  const space = ' '.repeat(Math.max(0, columns - widthOf(fitted)));
  return side === 'left' ? `${fitted}${space}` : `${space}${fitted}`;
}

/** The text in lines of at most so many columns, broken between words, and inside a word only where it must be. */
export function wrapTo(text: string, columns: number): readonly string[] {
  const room = Math.max(1, columns);
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(' ').flatMap((word) => breakWord(word, room))) {
    const longer = line === '' ? part : `${line} ${part}`;
    if (widthOf(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = part;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): readonly string[] {
  if (widthOf(word) <= columns) return [word];
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const { segment } of segmenter.segment(word)) {
    const next = widthOf(segment);
    if (width + next > columns) {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += segment;
    width += next;
  }
  return [...parts, part];
}
