/** A key, or text that came at once because it was pasted or typed fast. */
export type Key =
  | { readonly name: 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end' | 'left' | 'right' }
  | { readonly name: 'enter' | 'escape' | 'tab' | 'backspace' | 'interrupt' | 'clear-line' | 'clear-word' }
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
  d: { name: 'page-down' },
  u: { name: 'clear-line' },
  w: { name: 'clear-word' },
  n: { name: 'down' },
  p: { name: 'up' },
};

/** The keys in what came: fast typing and pasting may bring several at once, a line break among them. */
export function keysOf(input: string, key: InkKey): readonly Key[] {
  const named = namedKey(key);
  if (named !== null) return [named];
  if (key.ctrl) {
    const control = CONTROLS[input];
    return control === undefined ? [] : [control];
  }
  if (key.meta || input === '') return [];
  // The end of a paste is kept apart from what follows: Enter as the last character sends.
  const sends = /[\r\n]$/.test(input);
  const text = input.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  return [
    ...(text === '' ? [] : [{ name: 'text' as const, text }]),
    ...(sends ? [{ name: 'enter' as const }] : []),
  ];
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
