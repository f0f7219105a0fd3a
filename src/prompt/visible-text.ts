/**
 * What a person sees of a Markdown text. Text that pages do not show (comments, zero-width and direction marks, control
 * characters) is where instructions for an agent hide from the people who read and approve an issue.
 */
export function visibleText(text: string): string {
  return withoutComments(withoutInvisible(text.replace(LINE_BREAK, '\n')));
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Blank glyphs that are no white space. */
const BLANK = /[\u2800\u3164\uFFA0]/g;
/** Joiners (U+200C and U+200D) shape emoji and some scripts; selectors of variants choose how an emoji looks. */
const INVISIBLE = new RegExp(
  [
    '(?![\\n\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}]',
    '[\\u034F\\u17B4\\u17B5\\u180B-\\u180F\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]',
    '(?<![#*0-9\\u00A9-\\uFDFF\\u{10000}-\\u{1FFFF}])[\\uFE0E\\uFE0F]',
    '(?<![\\u0080-\\u{10FFFF}])[\\u200C\\u200D]+',
    '[\\u200C\\u200D]+(?![\\u200C\\u200D\\u0080-\\u{10FFFF}])',
    '[\\u200C\\u200D]{2,}',
  ].join('|'),
  'gu',
);

function withoutInvisible(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(BLANK, ' ')
    .replace(INVISIBLE, '');
}

/**
 * Code first, because what is in it shows; then what the page leaves out: comments, declarations, and definitions of links
 * to nowhere, which serve as comments. Whatever is not closed reaches to the end, as it does on the page.
 */
const CODE_OR_HIDDEN = new RegExp(
  [
    '(?<code>^ {0,3}(?<fence>`{3,}|~{3,})[^\\n]*\\n[\\s\\S]*?(?:^ {0,3}\\k<fence>[`~]*[ \\t]*$|$(?![\\s\\S]))',
    '|(?<tick>`{1,2})[^`\\n]{1,500}\\k<tick>)',
    '|<!--[\\s\\S]*?(?:-->|$(?![\\s\\S]))',
    '|<[?][\\s\\S]*?(?:[?]>|$(?![\\s\\S]))',
    '|<![A-Za-z\\[][\\s\\S]*?(?:>|$(?![\\s\\S]))',
    '|^ {0,3}\\[[^\\]\\n]{1,200}\\]:[ \\t]*(?:#|<#?>)[ \\t]+["\'(][^\\n]*$',
  ].join(''),
  'gm',
);

const REMOVED = '[hidden text removed]';

function withoutComments(text: string): string {
  return text.replace(CODE_OR_HIDDEN, (found, code: string | undefined) =>
    code === undefined ? REMOVED : found,
  );
}
