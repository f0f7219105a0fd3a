import type { z } from 'zod';
import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Reports } from '../session/reports.ts';
import { activityOfEnd, activityOfStart, planActivity } from './activity.ts';
import type { Notifications } from './generated/protocol.d.ts';
import type { PriceTable } from './prices.ts';
import {
  errorSchema,
  itemSchema,
  noteSchema,
  planSchema,
  rateLimitsSchema,
  reroutedSchema,
  tokenUsageSchema,
} from './protocol.ts';
import { createUsageMeter, mergeRateLimits, type UsageMeter } from './telemetry.ts';

export interface ReporterOptions {
  readonly reports: Reports;
  readonly prices: PriceTable;
  /** True for a turn of this session. */
  isOwnTurn(turnId: string): boolean;
}

const MAX_NOTE = 300;
const MAX_NAMES = 200;

/** Turns notifications into events. Never holds more than counters, whatever the server sends. */
export class Reporter {
  readonly #reports: Reports;
  readonly #isOwnTurn: (turnId: string) => boolean;
  readonly #meter: UsageMeter;
  readonly #acceptRateLimits = mergeRateLimits();
  readonly #counts = new Map<string, number>();
  #model = '';
  #lastNote = '';

  constructor({ reports, prices, isOwnTurn }: ReporterOptions) {
    this.#reports = reports;
    this.#isOwnTurn = isOwnTurn;
    this.#meter = createUsageMeter(prices);
  }

  setModel(model: string): void {
    this.#model = model;
  }

  accept(method: string, params: unknown): void {
    const event = this.#eventOf(method, params);
    if (event === undefined) this.#reports.unread(JSON.stringify(params ?? null).length);
    else if (event === null) this.pulse(method);
    // What is said again and again is said once, or an agent that only retries would never count as stalled.
    else if (event.type !== 'notification' || event.name !== this.#lastNote) this.#reports.emit(event);
    if (event?.type === 'notification') this.#lastNote = event.name;
    else if (event !== null && event !== undefined) this.#lastNote = '';
  }

  pulse(method: string): void {
    const count = this.#counts.get(method) ?? 0;
    if (count > 0 || this.#counts.size < MAX_NAMES) this.#counts.set(method, count + 1);
    this.#reports.pulse(method.slice(0, MAX_NOTE));
  }

  /** How often each notification came that told nothing. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** The event a notification stands for; undefined when its params are not what the method promises. */
  #eventOf(method: string, params: unknown): AgentEvent | null | undefined {
    // The cases are of the protocol; any other method ends in the default.
    switch (method as keyof Notifications) {
      case 'item/started':
        return read(itemSchema, params, ({ item }) => activityOfStart(item));
      case 'item/completed':
        return read(itemSchema, params, ({ item }) => activityOfEnd(item));
      case 'turn/plan/updated':
        return read(planSchema, params, ({ plan }) => planActivity(plan));
      case 'thread/tokenUsage/updated':
        return read(tokenUsageSchema, params, (report) =>
          this.#meter.accept(report, this.#isOwnTurn(report.turnId), this.#model),
        );
      case 'account/rateLimits/updated':
        return read(rateLimitsSchema, params, ({ rateLimits }) => this.#acceptRateLimits(rateLimits));
      case 'model/rerouted':
        return read(reroutedSchema, params, ({ toModel }) => {
          this.#model = toModel;
          return { type: 'model_changed', model: toModel };
        });
      case 'error':
        return read(errorSchema, params, ({ error, willRetry }) =>
          note(willRetry ? 'error, Codex tries again' : 'error', error.message),
        );
      case 'warning':
      case 'configWarning':
      case 'deprecationNotice':
        return read(noteSchema, params, ({ message, summary }) =>
          note('warning', message ?? summary ?? method),
        );
      default:
        return null;
    }
  }
}

function note(kind: string, text: string): AgentEvent {
  return { type: 'notification', name: `${kind}: ${text}`.slice(0, MAX_NOTE) };
}

function read<T>(
  schema: z.ZodType<T>,
  params: unknown,
  use: (value: T) => AgentEvent | null,
): AgentEvent | null | undefined {
  const { data, success } = schema.safeParse(params);
  return success ? use(data) : undefined;
}
