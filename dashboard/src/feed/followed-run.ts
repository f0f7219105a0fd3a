import type { RunMessage } from '../../../src/contract/stream.ts';

type Listener = (message: RunMessage) => void;

/** The run whose events are wanted besides the state; the last one who wants one decides which. */
export class FollowedRun {
  readonly #changed: () => void;
  #wanted: { readonly run: string; readonly listener: Listener } | null = null;

  /** `changed` is called when another run is wanted than before. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get run(): string | null {
    return this.#wanted?.run ?? null;
  }

  hear(message: RunMessage): void {
    if (message.run_id === this.#wanted?.run) this.#wanted.listener(message);
  }

  /** Returns how to stop. */
  follow(run: string, listener: Listener): () => void {
    const mine = { run, listener };
    this.#set(mine);
    return () => {
      if (this.#wanted === mine) this.#set(null);
    };
  }

  #set(wanted: { readonly run: string; readonly listener: Listener } | null): void {
    const before = this.run;
    this.#wanted = wanted;
    if (this.run !== before) this.#changed();
  }
}
