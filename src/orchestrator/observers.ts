import { messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';

/** Those who want to be told; one that fails keeps nothing from the others. */
export class Observers<Args extends readonly unknown[]> {
  readonly #logger: Logger;
  readonly #observers = new Set<(...args: Args) => void>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The returned function ends it. */
  add(observer: (...args: Args) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  tell(...args: Args): void {
    for (const observer of this.#observers) {
      try {
        observer(...args);
      } catch (error) {
        this.#logger.error('an observer failed', { error: messageOf(error) });
      }
    }
  }
}
