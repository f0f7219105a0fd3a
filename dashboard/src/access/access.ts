/** What the one who looks may do; unknown until the worker has said. */
export type Right = 'unknown' | 'look' | 'act';

export interface AccessPorts {
  /** The fragment of the page's address, with its `#`. */
  fragment(): string;
  /** Takes the fragment out of the address and out of the history. */
  clearFragment(): void;
  /** Kept for this tab only. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Whether the token, or what the browser itself sends, may act; rejects when there is no answer. */
  askMayAct(): Promise<boolean>;
  /** The token that a code stands for; rejects when the code is used up. */
  exchange(code: string): Promise<string>;
}

export interface Access {
  readonly right: Right;
  /** Sent with every request; null means there is none. */
  readonly token: string | null;
  subscribe(listener: () => void): () => void;
  /** Takes what the address brings, then asks the worker what it is good for. Never rejects. */
  check(): Promise<void>;
}

const KEY = 'aiops-token';

/** The right to act, as a link brought it. A token that has stopped working is forgotten. */
export function createAccess(ports: AccessPorts): Access {
  let right: Right = 'unknown';
  let token = ports.storage.getItem(KEY);
  const listeners = new Set<() => void>();
  /** One after the other: a check without a token must not undo what one with a code brings. */
  let checked: Promise<void> = Promise.resolve();

  function settle(next: Right): void {
    if (next === right) return;
    right = next;
    for (const listener of listeners) listener();
  }

  function keep(next: string | null): void {
    token = next;
    if (next === null) ports.storage.removeItem(KEY);
    else ports.storage.setItem(KEY, next);
  }

  /** Keeps a token at once, so that the very first request has it; gives back a code that has to be exchanged. */
  function takeFromAddress(): string | null {
    const brought = new URLSearchParams(ports.fragment().replace(/^#/, ''));
    const [given, code] = [brought.get('token'), brought.get('code')];
    if (given === null && code === null) return null;
    ports.clearFragment();
    if (given !== null && given !== '') keep(given);
    return code;
  }

  let broughtAtFirst = takeFromAddress();

  async function ask(): Promise<void> {
    const code = takeFromAddress() ?? broughtAtFirst;
    broughtAtFirst = null;
    const exchanged = code === null ? null : await ports.exchange(code).catch(() => null);
    if (exchanged !== null) keep(exchanged);
    try {
      const mayAct = await ports.askMayAct();
      if (!mayAct) keep(null);
      settle(mayAct ? 'act' : 'look');
    } catch {
      // Cut off, or refused altogether, which the feed shows. A right once given is not doubted for that.
      if (right === 'unknown') settle('look');
    }
  }

  return {
    get right() {
      return right;
    },
    get token() {
      return token;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    check() {
      checked = checked.then(ask);
      return checked;
    },
  };
}
