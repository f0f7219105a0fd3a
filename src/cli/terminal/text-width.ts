const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[\u1100-\u115F\u231A\u231B\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1B000}-\u{1B2FF}\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}])/u;
const NOTHING = /^[\p{M}\p{Cf}]+$/u;
/** What could move the cursor, rewrite the screen or reverse the reading direction. */
const STEERING = /[\p{Cc}\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** Letters and signs that are one column each, whatever stands beside them. */
const PLAIN = /^[\x20-\x7E\xA1-\xAC\xAE-\u02FF\u2010-\u2027\u2190-\u2193]*$/;
let segmenter: Intl.Segmenter | null = null;

/** One line of somebody else's text that cannot steer the terminal. */
export function plainLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(STEERING, '\u{FFFD}').trim();
}

/** The columns a terminal gives a text: two to emoji and East Asian letters, none to marks. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += columnsOf(character);
  return width;
}

/** The text in at most so many columns, with an ellipsis where it is cut; no character is cut in half. */
export function fitTo(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const character of charactersOf(text)) {
    const next = width + columnsOf(character);
    if (next > columns) return `${cutBack(kept, columns - 1)}…`;
    kept += character;
    width = next;
  }
  return kept;
}

/**
 * The text in lines of at most so many columns, broken between words, and in one that has a line to itself. Paths and
 * addresses stay whole, so that they can be copied.
 */
export function wrapTo(text: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  const words = text.slice(indent.length).split(' ');
  for (const part of words.flatMap((word) => breakWord(word, columns))) {
    const longer = line.trim() === '' ? `${line}${part}` : `${line} ${part}`;
    if (line.trim() === '' || widthOf(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = part;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): string[] {
  if (word.includes('/') || widthOf(word) <= columns) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of charactersOf(word)) {
    if (part !== '' && widthOf(part + character) > columns) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

export function padTo(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;
}

function cutBack(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const character of charactersOf(text)) {
    width += columnsOf(character);
    if (width > columns) break;
    kept += character;
  }
  return kept.trimEnd();
}

function columnsOf(character: string): number {
  if (PLAIN.test(character)) return 1;
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** What a reader takes for single characters. Plain text does without the data of a segmenter, which is megabytes. */
function charactersOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
