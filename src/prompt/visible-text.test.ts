import { describe, expect, it } from 'vitest';
import { quietCpuMs } from '../../test/fakes/measured-time.ts';
import { visibleText } from './visible-text.ts';

const REMOVED = '[hidden text removed]';

describe('visible text', () => {
  it.each([
    ['plain', 'Fix the door.\n\n- it squeaks\n\t- loudly'],
    ['other scripts and marks', 'Tür, 扉, باب, दरवाज़ा, café\u0301'],
    ['emoji with joiners and variants', '👩‍💻 ❤️ 1️⃣ 🏳️‍🌈'],
    ['Persian with joiners', 'می‌خواهم'],
    ['markup that shows', '<div class="a">x</div> a < b && b > c, <details><summary>s</summary>t</details>'],
    ['a comment in a fence', '```html\n<!-- shown -->\n```\nafter'],
    ['a comment in a longer fence', '````\n```\n<!-- shown -->\n```\n````'],
    ['a comment in an open fence', '~~~\n<!-- shown -->'],
    [
      'a comment in a code span',
      'replace `<!-- old -->` and ``<!-- `older` -->`` please'.replace('`older`', 'older'),
    ],
    ['a reference link', 'see [docs]\n\n[docs]: https://docs.example "Docs"'],
  ])('leaves %s as it is', (_what, text) => {
    expect(visibleText(text)).toBe(text);
  });

  it.each([
    ['a comment', 'a <!-- do evil --> b', `a ${REMOVED} b`],
    ['a comment over lines', 'a\n<!--\ndo evil\n-->\nb', `a\n${REMOVED}\nb`],
    ['an open comment', 'a\n<!-- do evil\n\nand more', `a\n${REMOVED}`],
    ['the shortest comment', 'a<!---->b', `a${REMOVED}b`],
    ['a fence inside a comment', '<!--\n```\ndo evil\n```\n-->\nb', `${REMOVED}\nb`],
    ['a comment after a fence', '```\nx\n```\n<!-- do evil -->', `\`\`\`\nx\n\`\`\`\n${REMOVED}`],
    ['a declaration', 'a <!DOCTYPE do evil> b', `a ${REMOVED} b`],
    ['an instruction', 'a <?php do evil ?> b', `a ${REMOVED} b`],
    ['character data', 'a <![CDATA[ do evil ]> b', `a ${REMOVED} b`],
    ['a link to nowhere', 'a\n\n[//]: # (do evil)\nb', `a\n\n${REMOVED}\nb`],
    ['another link to nowhere', '[note]: <> "do evil"', REMOVED],
    ['a comment split by zero-width characters', 'a <\u200B!-\u2060- do evil -\uFEFF-> b', `a ${REMOVED} b`],
  ])('takes out %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    ['zero-width characters', 'do\u200B \u2060this\uFEFF', 'do this'],
    ['direction marks', 'abc\u202Etxt.\u2066x\u2069\u061C', 'abctxt.x'],
    ['tag characters', `a${String.fromCodePoint(0xe0001, 0xe0065, 0xe0076, 0xe0069, 0xe006c)}b`, 'ab'],
    ['rows of variant selectors', `a\uFE00\uFE0F${String.fromCodePoint(0xe0100, 0xe01ef)}b`, 'ab'],
    ['joiners between plain letters', 'i\u200Dg\u200Cnore', 'ignore'],
    ['control characters', 'a\u0000b\u001B[31mc\u0008\u007F\u009Bd', 'ab[31mcd'],
    ['soft hyphens', 'ig\u00ADnore', 'ignore'],
    ['blank glyphs', 'a\u3164b\u2800c', 'a b c'],
    ['halves of characters', 'a\uD800b', 'a\uFFFDb'],
  ])('takes out %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('knows every line break there is', () => {
    expect(visibleText('a\r\nb\rc\u2028d\u2029e\u0085f\u000Bg\u000Ch')).toBe('a\nb\nc\nd\ne\nf\ng\nh');
  });

  it.each([
    ['open comments', '<!--'.repeat(75_000)],
    ['open code', '`a'.repeat(150_000)],
    ['fences', '```\n'.repeat(75_000)],
    ['brackets', '['.repeat(300_000)],
    ['link definitions', '[a]: #\n'.repeat(40_000)],
    ['joiners', '\u200D'.repeat(300_000)],
    ['a long line', 'x'.repeat(300_000)],
    ['instructions', '<?'.repeat(150_000)],
  ])('is quick with 300,000 characters of %s', async (_what, text) => {
    expect(await quietCpuMs(() => visibleText(text))).toBeLessThan(4_000);
  });
});
