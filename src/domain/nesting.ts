/**
 * How deep foreign data may be nested. Everything that walks through data afterwards (redaction, comparison, writing it as
 * JSON) may then be recursive: no text from outside decides how much of the stack is used.
 */
export const MAX_NESTING = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True when JSON text opens more than `most` lists and objects inside of each other. Linear, without recursion. */
export function isJsonTooDeep(text: string, most = MAX_NESTING): boolean {
  if (text.length <= most) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** The place of the quote that closes the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Like `JSON.parse`, for text from outside: what is nested too deeply is not JSON here. */
export function parseForeignJson(text: string): unknown {
  if (isJsonTooDeep(text)) throw new SyntaxError(`nested more than ${MAX_NESTING} levels deep`);
  return JSON.parse(text);
}

/** A line of a block: each column of indentation, and each of these signs, may open one more level. */
const BLOCK_SIGN = /(?:^|[ \t])[-?:](?=[ \t\r]|$)/g;

/**
 * True when YAML text may be nested too deeply. Brackets in texts count too, which no ordinary text notices: a parser of YAML
 * that recurses into thousands of them does not throw, it takes the process down.
 */
export function isYamlTooDeep(text: string, most = MAX_NESTING): boolean {
  let depth = 0;
  for (const line of text.split('\n')) {
    for (const sign of line.match(/[[\]{}]/g) ?? []) {
      depth = Math.max(0, depth + (sign === '[' || sign === '{' ? 1 : -1));
      if (depth > most) return true;
    }
    const indentation = line.length - line.trimStart().length;
    if (indentation > most || (line.match(BLOCK_SIGN)?.length ?? 0) > most) return true;
  }
  return false;
}
