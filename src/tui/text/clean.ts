/** What moves the cursor, rewrites the screen, reverses the reading direction or takes no room. */
const STEERING = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** What takes no room, and glue between emoji, their variants and skin tones: terminals disagree about such widths. */
const EMOJI_GLUE =
  /[\u00AD\u200B-\u200D\u2060\uFEFF]|[\uFE00-\uFE0F]|\u20E3|[\u{1F3FB}-\u{1F3FF}]|[\u{E0020}-\u{E007F}]/gu;
const FLAG_LETTER = /[\u{1F1E6}-\u{1F1FF}]/gu;
const FIRST_FLAG_LETTER = 0x1f1e6;
/** More marks on one letter than any script needs. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
const PLAIN = /^[\x20-\x7E]*$/;

/** Longest text that is looked at; nobody reads more of it on one line. */
const LONGEST = 4000;

/**
 * One line of somebody else's text: it cannot steer the terminal, and its width is the same in every terminal. A
 * character that could do harm is shown as a replacement character, so that one sees there was something.
 */
export function cleanLine(text: string): string {
  const short = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  if (PLAIN.test(short)) return short.includes('  ') ? short.replace(/ +/g, ' ').trim() : short.trim();
  return cleanCharacters(short.replace(/\s+/g, ' ')).trim();
}

/** A line whose spaces mean something, such as code: tabs become spaces, nothing is joined. */
export function cleanCode(text: string): string {
  const short = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  return PLAIN.test(short) ? short : cleanCharacters(short.replace(/\t/g, '    ')).trimEnd();
}

/** The lines of a longer text, each made harmless; `\r` alone begins no line. */
export function cleanLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(cleanCode);
}

function cleanCharacters(text: string): string {
  return text
    .normalize('NFC')
    .replace(EMOJI_GLUE, '')
    .replace(FLAG_LETTER, (letter) =>
      String.fromCharCode(65 + (letter.codePointAt(0) ?? FIRST_FLAG_LETTER) - FIRST_FLAG_LETTER),
    )
    .replace(STEERING, '\u{FFFD}')
    .replace(PILED_MARKS, '$1');
}
