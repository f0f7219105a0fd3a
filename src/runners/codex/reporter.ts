import type { z } from 'zod';
import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { createActivityGate } from '../activity-gate.ts';
import type { PriceTable } from '../prices.ts';
import { createUnreadLines } from '../unread-lines.ts';
import { activityOfEnd, activityOfStart, planActivity } from './activity.ts';
import type { Notifications } from './generated/protocol.d.ts';
import {
  errorSchema,
  itemSchema,
  noteSchema,
  planSchema,
  rateLimitsSchema,
  reroutedSchema,
  tokenUsageSchema,
} from './protocol.ts';
import { createRateLimitBook, createUsageMeter } from './telemetry.ts';

export interface ReporterOptions {
  readonly clock: Clock;
  readonly prices: PriceTable;
  /** A lively agent with nothing to tell is reported this often, so that it does not count as stalled. */
  readonly pulseMs: number;
  emit(event: AgentEvent): void;
  /** True for a turn of this session. */
  isOwnTurn(turnId: string): boolean;
}

/** Turns notifications into events. Never holds more than counters, whatever the server sends. */
export interface Reporter {
  accept(method: string, params: unknown): void;
  pulse(method: string): void;
  /** A line that could not be read; many of them in a second are one event. */
  malformed(bytes: number): void;
  setModel(model: string): void;
  /** Called at the end of a turn: nothing is held back beyond it. */
  flush(): void;
  /** How often each notification came that told nothing. */
  counts(): Readonly<Record<string, number>>;
}

const MAX_NOTE = 300;
const MAX_NAMES = 200;

export function createReporter(options: ReporterOptions): Reporter {
  const meter = createUsageMeter(options.prices);
  const bookRateLimits = createRateLimitBook();
  const counts = new Map<string, number>();
  let model = '';
  let lastNote = '';
  let lastEventAt = options.clock.elapsed();

  const emit = (event: AgentEvent): void => {
    lastEventAt = options.clock.elapsed();
    options.emit(event);
  };

  const unread = createUnreadLines(options.clock, emit);
  const gate = createActivityGate(options.clock, emit);

  const pulse = (method: string): void => {
    if (counts.has(method) || counts.size < MAX_NAMES) counts.set(method, (counts.get(method) ?? 0) + 1);
    const silence = options.clock.elapsed() - lastEventAt;
    // A clock that was set back must not silence the pulse.
    if (silence >= options.pulseMs || silence < 0)
      emit({ type: 'notification', name: method.slice(0, MAX_NOTE) });
  };

  /** The event a notification stands for; undefined when its params are not what the method promises. */
  const eventOf = (method: string, params: unknown): AgentEvent | null | undefined => {
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
          meter.accept(report, options.isOwnTurn(report.turnId), model),
        );
      case 'account/rateLimits/updated':
        return read(rateLimitsSchema, params, ({ rateLimits }) => bookRateLimits(rateLimits));
      case 'model/rerouted':
        return read(reroutedSchema, params, ({ toModel }) => {
          model = toModel;
          return { type: 'model_changed', model };
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
  };

  return {
    accept(method, params) {
      const event = eventOf(method, params);
      if (event === undefined) unread.accept(JSON.stringify(params ?? null).length);
      else if (event === null) pulse(method);
      else if (event.type === 'activity') gate.accept(event);
      // What is said again and again is said once, or an agent that only retries would never count as stalled.
      else if (event.type !== 'notification' || event.name !== lastNote) emit(event);
      if (event?.type === 'notification') lastNote = event.name;
      else if (event !== null && event !== undefined) lastNote = '';
    },
    pulse,
    setModel(next) {
      model = next;
    },
    malformed: unread.accept,
    flush() {
      unread.flush();
      gate.flush();
    },
    counts: () => Object.fromEntries(counts),
  };
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
