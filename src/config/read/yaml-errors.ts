interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** By the parser's code. The parser's own texts quote the file, which may hold a credential. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  BAD_INDENT: {
    message: 'the indentation does not fit the lines around it',
    hint: 'Indent the keys of one block by the same number of spaces.',
  },
  TAB_AS_INDENT: { message: 'a tab is used as indentation', hint: 'Indent with spaces.' },
  MISSING_CHAR: {
    message: 'a quote, bracket, comma or colon is missing here',
    hint: 'Close every quote and bracket, and put a colon and a space after each key.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'there is more than one key on this line',
    hint: 'Put each key on a line of its own, or quote a value that contains a colon.',
  },
  BLOCK_IN_FLOW: {
    message: 'an indented block stands inside brackets',
    hint: 'Close the bracket first, or write the whole value in brackets.',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key is missing its colon, or spreads over several lines',
    hint: 'Write `key: value` on one line.',
  },
  MULTIPLE_DOCS: {
    message: 'the front matter holds more than one YAML document',
    hint: 'Remove the `...` or `---` line inside it.',
  },
  UNEXPECTED_TOKEN: {
    message: 'there is something here that does not belong',
    hint: 'Quote a value that contains any of : # [ ] { } , & * ! | > % @ or a backtick.',
  },
  BAD_ALIAS: {
    message: 'an alias or anchor has no proper name',
    hint: 'Quote a value that starts with * or &.',
  },
  BAD_DIRECTIVE: {
    message: 'a line starts with %, which YAML reserves',
    hint: 'Quote the value or remove the line.',
  },
  BAD_DQ_ESCAPE: {
    message: 'a backslash in a double-quoted value starts no known escape',
    hint: 'Double the backslash, or use single quotes.',
  },
  BAD_SCALAR_START: {
    message: 'a value starts with a character that YAML reserves',
    hint: 'Put the value in quotes.',
  },
  RESOURCE_EXHAUSTION: { message: 'the values are nested too deeply', hint: 'Nest less deeply.' },
};

/** What a parser error means and what to do about it, in our words. */
export function explainYamlError(code: string): Explanation {
  return (
    EXPLANATIONS[code] ?? {
      message: 'the front matter is not valid YAML here',
      hint: 'Check indentation, quotes and brackets on this line and the one above.',
    }
  );
}
