import type { WebhookResult, WebhookStatus } from '../../contract/webhooks.ts';

/** What became of the webhooks so far. */
export class WebhookTally {
  readonly #now: () => number;
  readonly #counts = new Map<WebhookResult, number>();
  readonly #observers = new Set<() => void>();
  #status: WebhookStatus = { received_total: 0, last: null, last_wake_at: null };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The same object until something changes. */
  get status(): WebhookStatus {
    return this.#status;
  }

  get counts(): ReadonlyMap<WebhookResult, number> {
    return this.#counts;
  }

  note<Result extends WebhookResult>(result: Result): Result {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
    const { received_total: before } = this.#status;
    this.#change({ received_total: before + 1, last: { at: this.#utc(), result } });
    return result;
  }

  noteWake(): void {
    this.#change({ last_wake_at: this.#utc() });
  }

  /** Called after each change, until the returned function is. */
  observe(onChange: () => void): () => void {
    this.#observers.add(onChange);
    return () => this.#observers.delete(onChange);
  }

  #change(change: Partial<WebhookStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const observer of this.#observers) observer();
  }

  #utc(): string {
    return new Date(this.#now()).toISOString();
  }
}
