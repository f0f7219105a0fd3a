import type { Session } from '../session/session.ts';
import { activityOf } from './activity.ts';
import type { Fields } from './connection.ts';
import {
  assistantSchema,
  initSchema,
  type ResultMessage,
  type Retry,
  rateLimitSchema,
  retrySchema,
} from './protocol.ts';
import { ToolResults } from './tool-results.ts';
import type { ResultFacts } from './turn-result.ts';
import { createUsageMeter, type UsageMeter } from './usage.ts';

/** Puts what Claude prints into the vocabulary of every runner. */
export class Reporter {
  readonly #session: Session;
  readonly #meter: UsageMeter;
  #model: string | null;
  readonly #results = new ToolResults();
  #apiError: string | null = null;
  #resetAt: number | null = null;

  constructor(session: Session, model: string | null, resumed: boolean) {
    this.#session = session;
    this.#model = model;
    this.#meter = createUsageMeter(resumed);
  }

  accept(type: string, message: Fields): void {
    if (type === 'assistant') this.#acceptAssistant(message);
    else if (type === 'system') this.#acceptSystem(message);
    else if (type === 'rate_limit_event') this.#acceptRateLimit(message);
    else if (type === 'user') this.#acceptUser(message);
    else this.pulse();
  }

  /** Counts the end of a turn; answers what was learnt during the turn. */
  acceptResult(result: ResultMessage): ResultFacts {
    const { reports, clock } = this.#session;
    reports.emit(this.#meter.acceptResult(result));
    const isAhead = this.#resetAt !== null && this.#resetAt > clock.now();
    const facts = { apiError: this.#apiError, resetAt: isAhead ? this.#resetAt : null };
    this.#apiError = null;
    return facts;
  }

  /** The agent lives but has nothing to tell. */
  pulse(): void {
    this.#session.reports.pulse('working');
  }

  #acceptAssistant(message: Fields): void {
    const parsed = assistantSchema.safeParse(message).data;
    if (parsed === undefined) return;
    const { reports } = this.#session;
    this.#apiError = parsed.error ?? null;
    for (const block of parsed.message.content) {
      const said = activityOf(block);
      if (said !== null && said.kind !== 'plan') this.#results.expect(said);
      reports.emit(said);
    }
    const { id, usage } = parsed.message;
    if (usage !== undefined) reports.emit(this.#meter.acceptMessage(id, usage));
  }

  #acceptUser(message: Fields): void {
    const told = this.#results.accept(message);
    for (const activity of told) this.#session.reports.emit(activity);
    if (told.length === 0) this.pulse();
  }

  #acceptSystem(message: Fields): void {
    const { reports } = this.#session;
    if (message['subtype'] === 'init') {
      const init = initSchema.safeParse(message).data;
      if (init === undefined || init.model === this.#model) return;
      this.#model = init.model;
      reports.emit({ type: 'model_changed', model: init.model });
    } else if (message['subtype'] === 'api_retry') {
      const retry = retrySchema.safeParse(message).data;
      if (retry !== undefined) reports.emit({ type: 'notification', name: retryNote(retry) });
    } else {
      this.pulse();
    }
  }

  #acceptRateLimit(message: Fields): void {
    const info = rateLimitSchema.safeParse(message).data?.rate_limit_info;
    if (info === undefined) return;
    if (info.status === 'rejected' && info.resetsAt !== undefined) this.#resetAt = info.resetsAt * 1000;
    this.#session.reports.emit({ type: 'rate_limits', rateLimits: info });
  }
}

function retryNote({
  attempt,
  max_retries: most,
  retry_delay_ms: delayMs,
  error = 'an error',
}: Retry): string {
  const soon = delayMs === undefined ? '' : ` in ${Math.ceil(delayMs / 1000)} s`;
  const times = most === undefined ? attempt : `${attempt} of ${most}`;
  return `the model is asked again${soon} (${times}): ${error.slice(0, 100)}`;
}
