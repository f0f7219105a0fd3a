/** A key, or text that came at once because it was pasted or typed fast. */
export type Key =
  | { readonly name: 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end' | 'left' | 'right' }
  | {
      readonly name:
        | 'enter'
        | 'escape'
        | 'tab'
        | 'backspace'
        | 'interrupt'
        | 'suspend'
        | 'clear-line'
        | 'clear-word';
    }
  | { readonly name: 'text'; readonly text: string };

/** What Ink says about a key; only what is looked at here. */
export interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly ctrl: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly meta: boolean;
}

const CONTROLS: Readonly<Record<string, Key>> = {
  c: { name: 'interrupt' },
  z: { name: 'suspend' },
  d: { name: 'page-down' },
  u: { name: 'clear-line' },
  w: { name: 'clear-word' },
  n: { name: 'down' },
  p: { name: 'up' },
};

const ENTER: Key = { name: 'enter' };
/** What a terminal sends around a text that is pasted, where it was asked to. */
const PASTE_BEGINS = '[200~';
const PASTE_ENDS = '[201~';

/** Makes keys of what comes: fast typing may bring several at once, and a text that is pasted is none but text. */
export class KeyReader {
  #pasting = false;

  read(input: string, key: InkKey): readonly Key[] {
    if (input === PASTE_BEGINS || input === PASTE_ENDS) {
      this.#pasting = input === PASTE_BEGINS;
      return [];
    }
    if (this.#pasting) return pasted(key.return ? '\n' : key.tab ? ' ' : input);
    const named = namedKey(key);
    if (named !== null) return [named];
    if (key.ctrl) {
      const control = CONTROLS[input];
      return control === undefined ? [] : [control];
    }
    if (key.meta) return [];
    const parts = input.split(/\r\n?|\n/);
    return parts.flatMap((text, index) => [
      ...(index === 0 ? [] : [ENTER]),
      ...(text === '' ? [] : [{ name: 'text' as const, text }]),
    ]);
  }
}

function pasted(text: string): readonly Key[] {
  return text === '' ? [] : [{ name: 'text', text: text.replace(/\r\n?/g, '\n') }];
}

function namedKey(key: InkKey): Key | null {
  if (key.upArrow) return { name: 'up' };
  if (key.downArrow) return { name: 'down' };
  if (key.leftArrow) return { name: 'left' };
  if (key.rightArrow) return { name: 'right' };
  if (key.pageUp) return { name: 'page-up' };
  if (key.pageDown) return { name: 'page-down' };
  if (key.home) return { name: 'home' };
  if (key.end) return { name: 'end' };
  if (key.return) return { name: 'enter' };
  if (key.escape) return { name: 'escape' };
  if (key.tab) return { name: 'tab' };
  // Terminals send what Ink calls delete for the key that takes back.
  return key.backspace || key.delete ? { name: 'backspace' } : null;
}
