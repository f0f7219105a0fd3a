import { messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Tracker } from '../../../trackers/tracker.ts';

/** Change notices of the tracker in force: each asks for a poll. Without them the poll interval does it alone. */
export class TrackerWatch {
  readonly #onChange: () => void;
  readonly #logger: Logger;
  #stop: (() => Promise<void>) | null = null;

  constructor(onChange: () => void, logger: Logger) {
    this.#onChange = onChange;
    this.#logger = logger;
  }

  /** Watches this tracker instead of the one before. */
  async follow(tracker: Tracker | null): Promise<void> {
    await this.stop();
    try {
      this.#stop = (await tracker?.changes?.watch(this.#onChange)) ?? null;
    } catch (error) {
      this.#logger.warn('changes in the tracker cannot be watched, polling only', {
        error: messageOf(error),
      });
    }
  }

  async stop(): Promise<void> {
    const stop = this.#stop;
    this.#stop = null;
    await stop?.();
  }
}
