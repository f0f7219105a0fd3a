import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../observability/logger.ts';

export interface StandingWarning {
  /** Says what it is about; there is one at a time of each. */
  readonly id: string;
  readonly message: string;
  /** What to do about it, as an instruction; null when there is nothing to do but wait. */
  readonly fix: string | null;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What is wrong for longer than a moment while the worker goes on. Each is said once when it begins and once when it is over. */
export class StandingWarnings {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #standing = new Map<string, StandingWarning>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The oldest first. */
  get list(): readonly StandingWarning[] {
    return [...this.#standing.values()];
  }

  begin(id: string, message: string, fix: string | null): void {
    const known = this.#standing.get(id);
    if (known?.message === message && known.fix === fix) return;
    this.#standing.set(id, { id, message, fix, since: known?.since ?? this.#clock.now() });
    this.#logger.warn('something is wrong and stays so', { warning: id, problem: message, fix });
    this.#tell();
  }

  end(id: string): void {
    const known = this.#standing.get(id);
    if (known === undefined) return;
    this.#standing.delete(id);
    const lastedMs = this.#clock.now() - known.since;
    this.#logger.info('what was wrong is right again', {
      warning: id,
      problem: known.message,
      lasted_ms: lastedMs,
    });
    this.#tell();
  }

  /** The returned function ends it. */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
