import type { Notice } from './derive-notices.ts';

export type Permission = 'default' | 'granted' | 'denied';

export interface NotifierPorts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Null where the browser has no notifications, or not for this page. */
  permission(): Permission | null;
  /** Asks the person, by the browser's own dialog. */
  request(): Promise<Permission>;
  /** Throws where the browser cannot after all. */
  show(notice: Notice): void;
}

export interface NotifierState {
  readonly on: boolean;
  /** Why they are not on although somebody wanted them; null when nothing is wrong. */
  readonly problem: string | null;
}

export interface Notifier {
  readonly state: NotifierState;
  subscribe(listener: () => void): () => void;
  /** On or off, by the press of a person. Never rejects. */
  toggle(): Promise<void>;
  /** Tells of what is new since the last call; of what was there at the first call, nothing. */
  see(notices: readonly Notice[]): void;
}

const KEY = 'aiops-notify';
/** More than can wait for people at once. */
const MAX_REMEMBERED = 5_000;
const DENIED =
  'The browser does not let this page notify you. Allow notifications for it in the settings of the browser, then press the bell again.';
const UNSUPPORTED =
  'This browser has no notifications for this page. They need https, or an address of this machine.';

/** Browser notifications, off until a person wants them. */
export function createNotifier(ports: NotifierPorts): Notifier {
  const listeners = new Set<() => void>();
  const seen = new Set<string>();
  let hasLooked = false;
  let state: NotifierState = {
    on: ports.storage.getItem(KEY) === 'on' && ports.permission() === 'granted',
    problem: null,
  };

  function set(next: NotifierState): void {
    state = next;
    if (next.on) ports.storage.setItem(KEY, 'on');
    else ports.storage.removeItem(KEY);
    for (const listener of listeners) listener();
  }

  function remember(key: string): void {
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
  }

  async function turnOn(): Promise<void> {
    const before = ports.permission();
    if (before === null) {
      set({ on: false, problem: UNSUPPORTED });
      return;
    }
    const given = before === 'default' ? await ports.request().catch(() => 'denied' as const) : before;
    set(given === 'granted' ? { on: true, problem: null } : { on: false, problem: DENIED });
  }

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async toggle() {
      if (state.on) set({ on: false, problem: null });
      else await turnOn();
    },
    see(notices) {
      const fresh = notices.filter(({ key }) => !seen.has(key));
      for (const { key } of fresh) remember(key);
      const isFirst = !hasLooked;
      hasLooked = true;
      if (isFirst || !state.on) return;
      try {
        for (const notice of fresh) ports.show(notice);
      } catch {
        set({ on: false, problem: UNSUPPORTED });
      }
    },
  };
}
