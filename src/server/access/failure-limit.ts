import { AppError } from '../../errors/app-error.ts';

/** Wrong tokens or signatures an address may send at once, */
const BURST = 20;
/** and how long it takes until one more is forgiven. */
const FORGIVE_MS = 3_000;
const MAX_ADDRESSES = 10_000;

interface Record {
  failures: number;
  at: number;
}

/** Slows down guessing. An address that sent too many wrong tokens is not even asked for the right one for a while. */
export class FailureLimit {
  readonly #now: () => number;
  readonly #what: string;
  readonly #records = new Map<string, Record>();

  constructor(now: () => number, what = 'tokens') {
    this.#now = now;
    this.#what = what;
  }

  /** Throws `too_many_failures` while the address has to wait. */
  check(address: string): void {
    const record = this.#records.get(address);
    if (record === undefined) return;
    const failures = this.#forgive(address, record);
    if (failures < BURST) return;
    const seconds = Math.ceil(((failures - BURST + 1) * FORGIVE_MS) / 1000);
    throw new AppError('too_many_failures', `too many wrong ${this.#what} came from this address`, {
      hint: `Wait ${seconds} s, then send a right one.`,
      context: { retryAfterSeconds: seconds },
    });
  }

  note(address: string): void {
    const record = this.#records.get(address);
    const failures = record === undefined ? 0 : this.#forgive(address, record);
    this.#records.delete(address);
    this.#records.set(address, { failures: failures + 1, at: this.#now() });
    const [oldest] = this.#records.keys();
    if (this.#records.size > MAX_ADDRESSES && oldest !== undefined) this.#records.delete(oldest);
  }

  #forgive(address: string, { failures, at }: Record): number {
    const left = Math.max(0, failures - Math.max(0, this.#now() - at) / FORGIVE_MS);
    if (left === 0) this.#records.delete(address);
    return left;
  }
}
