import { AppError, hasErrno, messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { App } from '../../../server/app.ts';
import { type Listener, listen } from '../../../server/listen/listen.ts';

const RETRY_MS = 1_000;

export interface Address {
  readonly host: string;
  /** 0 picks a free port, -1 means no listener. */
  readonly port: number;
  /** Set for a port that nobody asked for: it gives way to a free one when it is taken. */
  readonly isDefault?: boolean;
}

/** The worker's listener, which can move to another address while it runs. */
export class HttpSurface {
  readonly #app: App;
  readonly #logger: Logger;
  #address: Address;
  #listener: Listener | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #failure: string | null = null;
  #closed = false;
  readonly #onUrl: (url: string | null) => Promise<void>;

  /** `onUrl` learns where the surface is, each time that changes. */
  constructor(
    app: App,
    logger: Logger,
    address: Address,
    onUrl: (url: string | null) => Promise<void> = async () => {},
  ) {
    this.#app = app;
    this.#logger = logger;
    this.#address = address;
    this.#onUrl = onUrl;
  }

  get url(): string | null {
    return this.#listener?.url ?? null;
  }

  /** An address that cannot be had is reported and tried again every second; the worker works without it. */
  async open(): Promise<void> {
    await this.#tryListen();
  }

  /** The same for an address somebody has just asked for: it fails when that cannot be had. */
  async openNow(): Promise<void> {
    if (this.#address.port >= 0) await this.#have(await this.#listen(this.#address.port));
  }

  /** Moves to another address. One that cannot be had is tried again every second; the worker goes on meanwhile. */
  async move(address: Address): Promise<void> {
    if (address.host === this.#address.host && address.port === this.#address.port) return;
    this.#address = address;
    await this.#listener?.close();
    this.#listener = null;
    await this.#onUrl(null);
    await this.#tryListen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#listener?.close();
  }

  async #tryListen(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    if (this.#closed || this.#address.port < 0) return;
    try {
      await this.#have(await this.#listenSomewhere());
      this.#failure = null;
    } catch (error) {
      this.#report(error);
      this.#retry = setTimeout(() => void this.#tryListen(), RETRY_MS);
    }
  }

  /** Once per cause: a port that stays taken would fill the log. */
  #report(error: unknown): void {
    const message = messageOf(error);
    if (message === this.#failure) return;
    this.#failure = message;
    const hint = error instanceof AppError && error.hint !== null ? { hint: error.hint } : {};
    this.#logger.error('the page and API cannot listen, trying again', { error: message, ...hint });
  }

  async #have(listener: Listener): Promise<void> {
    this.#listener = listener;
    await this.#onUrl(listener.url);
  }

  /** At the address, or at a free port when nobody asked for this one: two workers of two folders may run at once. */
  async #listenSomewhere(): Promise<Listener> {
    const { port, isDefault } = this.#address;
    try {
      return await this.#listen(port);
    } catch (error) {
      if (isDefault !== true || !(error instanceof AppError) || !hasErrno(error.cause, 'EADDRINUSE'))
        throw error;
      this.#logger.warn('the default port is taken, a free one is used', { error: error.message });
      return this.#listen(0);
    }
  }

  #listen(port: number): Promise<Listener> {
    return listen({ app: this.#app, host: this.#address.host, port, logger: this.#logger });
  }
}
