import { messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';

/** What was opened, closed again in reverse order, once. */
export class Closing {
  readonly #logger: Logger;
  readonly #steps: (() => Promise<void>)[] = [];
  #done: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  close(): Promise<void> {
    this.#done ??= this.#closeAll();
    return this.#done;
  }

  async #closeAll(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        this.#logger.warn('a part did not close', { error: messageOf(error) });
      }
    }
  }
}
