import type {
  WebhookAcceptance,
  WebhookRefusal,
  WebhookResult,
  WebhookStatus,
} from '../../contract/webhooks.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { trackerKind } from '../../trackers/registry.ts';
import type { WebhookFacts } from '../../trackers/tracker-kind.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { firstHeader } from './first-header.ts';
import { type Payload, readPayload } from './payload.ts';
import { refusalError } from './refusal-error.ts';
import { claimedSignature, type SignedBody, sameSignature, signBody } from './signature.ts';
import { WakeGate, type WakeTimes } from './wake-gate.ts';
import { WebhookTally } from './webhook-tally.ts';

export interface WebhookSettings {
  readonly kind: string;
  readonly secret: string;
  /** `owner/name`; null when the tracker has no repository. */
  readonly repository: string | null;
}

export interface WebhookReceiverOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked at each request; null while there is no secret. */
  settings(): WebhookSettings | null;
  requestPoll(): void;
  notBefore(): number | null;
  readonly times?: WakeTimes;
}

const TIMES: WakeTimes = { settle: 300, gap: 10_000 };
const MAX_KEPT_BYTES = 1024 * 1024;
/** Bodies read at once, so that unsigned ones cannot fill the memory. */
const MAX_READERS = 32;
const MAX_REMEMBERED = 2_000;
/** How far the time in a body may be from ours. */
const TOLERANCE_MS = 60_000;

/** Takes the tracker's webhooks. All that a valid one does is to make the worker poll soon. */
export class WebhookReceiver {
  readonly #options: WebhookReceiverOptions;
  readonly #failures: FailureLimit;
  readonly #gate: WakeGate;
  readonly #tally: WebhookTally;
  readonly #seen = new Set<string>();
  #readers = 0;

  constructor(options: WebhookReceiverOptions) {
    const { clock } = options;
    this.#options = options;
    this.#tally = new WebhookTally(() => clock.now());
    this.#failures = new FailureLimit(() => clock.now(), 'signatures');
    this.#gate = new WakeGate({
      clock,
      times: options.times ?? TIMES,
      notBefore: () => options.notBefore(),
      wake: () => this.#wake(),
    });
  }

  /** Null while there are no webhooks. */
  status(): WebhookStatus | null {
    return this.#options.settings() === null ? null : this.#tally.status;
  }

  /** By result, since the worker started. */
  get counts(): ReadonlyMap<WebhookResult, number> {
    return this.#tally.counts;
  }

  /** Called whenever the status has changed, until the returned function is. */
  observe(onChange: () => void): () => void {
    return this.#tally.observe(onChange);
  }

  stop(): void {
    this.#gate.stop();
  }

  /** True when webhooks of this kind are taken. */
  takes(kind: string): boolean {
    return this.#options.settings()?.kind === kind && webhookOf(kind) !== null;
  }

  /** Rejects with an AppError that says why a webhook is not taken. */
  async receive(request: Request, peer: string | null): Promise<WebhookAcceptance> {
    const settings = this.#options.settings();
    const provider = webhookOf(settings?.kind ?? '');
    if (settings === null || provider === null) throw new AppError('not_found', 'there are no webhooks');
    const address = peer ?? 'unknown';
    this.#checkFailures(address);
    const claimed = claimedSignature(request.headers, provider);
    if (claimed === 'missing') throw this.#refuse('unsigned');
    if (claimed === 'malformed') throw this.#refuse('bad_signature', address);
    const body = await this.#read(request, settings.secret, provider);
    if (body === null) throw this.#refuse('too_large');
    if (!sameSignature(claimed, body.signature)) throw this.#refuse('bad_signature', address);
    const payload = readPayload(body.text, request.headers.get('content-type'));
    if (provider.dated && !this.#isRecent(payload)) throw this.#refuse('stale');
    return this.#accept(request.headers, body, provider, payload, settings.repository);
  }

  #checkFailures(address: string): void {
    try {
      this.#failures.check(address);
    } catch (error) {
      this.#tally.note('too_many_failures');
      throw error;
    }
  }

  async #read(request: Request, secret: string, { maxBytes }: WebhookFacts): Promise<SignedBody | null> {
    if (this.#readers >= MAX_READERS) throw this.#refuse('busy');
    this.#readers += 1;
    try {
      return await signBody(request, secret, { maxBytes, keptBytes: MAX_KEPT_BYTES });
    } catch {
      throw this.#refuse('broken_off');
    } finally {
      this.#readers -= 1;
    }
  }

  #isRecent({ sentAt }: Payload): boolean {
    return sentAt !== null && Math.abs(this.#options.clock.now() - sentAt) <= TOLERANCE_MS;
  }

  #accept(
    headers: Headers,
    { signature }: SignedBody,
    provider: WebhookFacts,
    payload: Payload,
    repository: string | null,
  ): WebhookAcceptance {
    // Headers are not signed: a body that came before is known by its signature, whatever they say.
    const delivery = firstHeader(headers, provider.deliveryHeaders);
    const keys = [signature.toString('hex'), ...(delivery === null ? [] : [`id ${delivery.slice(0, 200)}`])];
    const replayed = keys.some((key) => this.#seen.has(key));
    for (const key of keys) this.#remember(key);
    if (replayed) return this.#tally.note('replayed');
    const event = payload.type ?? firstHeader(headers, provider.eventHeaders);
    const concerns =
      (event === null || provider.waking.has(event)) && isAbout(payload.repository, repository);
    if (!concerns) return this.#tally.note('ignored');
    return this.#tally.note(this.#gate.ask() ? 'queued' : 'coalesced');
  }

  #remember(key: string): void {
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }

  #wake(): void {
    this.#options.logger.info('polling because of a webhook');
    this.#options.requestPoll();
    this.#tally.noteWake();
  }

  /** With an address, the refusal counts against it. */
  #refuse(reason: Exclude<WebhookRefusal, 'too_many_failures'>, address?: string): AppError {
    this.#tally.note(reason);
    this.#options.logger.warn('webhook refused', { reason });
    if (address !== undefined) this.#failures.note(address);
    return refusalError(reason);
  }
}

/** What does not say where it comes from may well be ours. */
function isAbout(told: string | null, ours: string | null): boolean {
  return told === null || ours === null || told.toLowerCase() === ours.toLowerCase();
}

function webhookOf(kind: string): WebhookFacts | null {
  return trackerKind(kind)?.webhook ?? null;
}
