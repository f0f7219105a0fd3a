import type { NoticeKind } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../observability/logger.ts';
import type { Channel } from './channels.ts';
import type { Notice } from './notice.ts';

/** Waits before each further attempt. */
const RETRY_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000];
const REMEMBERED_KEYS = 2_000;
/** Notices that may wait at once; when everything is broken, the oldest tell the least. */
const MAX_PENDING = 200;

export interface NotifierOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends each notice once over each channel, and again while a channel fails. Nothing waits for it. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #told = new Set<string>();
  readonly #cancels = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #under = new Set<Promise<void>>();
  #channels: readonly Channel[] = [];
  #on: readonly NoticeKind[] = [];

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Future notices go here; those under way keep their channel. */
  use(channels: readonly Channel[], on: readonly NoticeKind[]): void {
    this.#channels = channels;
    this.#on = on;
  }

  notify(notice: Notice): void {
    if (this.#stopping.signal.aborted || !this.#on.includes(notice.kind) || this.#told.has(notice.key))
      return;
    this.#told.add(notice.key);
    const [oldest] = this.#told;
    if (this.#told.size > REMEMBERED_KEYS && oldest !== undefined) this.#told.delete(oldest);
    for (const channel of this.#channels) this.#send(channel, notice, 0);
  }

  /** Gives up on what has not been sent; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    await Promise.all(this.#under);
  }

  #send(channel: Channel, notice: Notice, attempt: number): void {
    const work = this.#attempt(channel, notice, attempt).finally(() => this.#under.delete(work));
    this.#under.add(work);
  }

  async #attempt(channel: Channel, notice: Notice, attempt: number): Promise<void> {
    const { clock, logger } = this.#options;
    const delivery = await channel.send(notice, this.#stopping.signal);
    if (delivery.result === 'sent' || this.#stopping.signal.aborted) return;
    const wait = RETRY_MS[attempt];
    const again = delivery.result === 'later' && wait !== undefined && this.#cancels.size < MAX_PENDING;
    logger.warn(again ? 'a notice could not be sent, trying again' : 'a notice could not be sent', {
      channel: channel.name,
      issue_identifier: notice.identifier,
      kind: notice.kind,
      error: delivery.why,
      ...(again ? { retry_in_ms: wait } : {}),
    });
    if (!again) return;
    const cancel = clock.setTimer(wait, () => {
      this.#cancels.delete(cancel);
      this.#send(channel, notice, attempt + 1);
    });
    this.#cancels.add(cancel);
  }
}
