import type { Clock } from '../../domain/clock.ts';

/** Named timers: setting one replaces the earlier of the same name. */
export class Timers {
  readonly #clock: Clock;
  readonly #onFire: (key: string) => void;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, onFire: (key: string) => void) {
    this.#clock = clock;
    this.#onFire = onFire;
  }

  set(key: string, at: number): void {
    this.clear(key);
    const cancel = this.#clock.setTimer(Math.max(0, at - this.#clock.now()), () => {
      this.#cancels.delete(key);
      this.#onFire(key);
    });
    this.#cancels.set(key, cancel);
  }

  clear(key: string): void {
    this.#cancels.get(key)?.();
    this.#cancels.delete(key);
  }

  clearAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
