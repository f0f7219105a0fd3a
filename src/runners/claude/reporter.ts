import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { createActivityGate } from '../activity-gate.ts';
import { createUnreadLines } from '../unread-lines.ts';
import { activityOf } from './activity.ts';
import {
  assistantSchema,
  initSchema,
  type ResultMessage,
  type Retry,
  rateLimitSchema,
  retrySchema,
} from './protocol.ts';
import type { ResultFacts } from './turn-result.ts';
import { createUsageMeter } from './usage.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ReporterOptions {
  readonly clock: Clock;
  readonly pulseMs: number;
  readonly model: string | null;
  readonly resumed: boolean;
  emit(event: AgentEvent): void;
}

/** Puts what Claude prints into the vocabulary of every runner. */
export interface Reporter {
  accept(type: string, message: Fields): void;
  /** Counts the end of a turn; answers what was learnt during the turn. */
  acceptResult(result: ResultMessage): ResultFacts;
  /** The agent lives but has nothing to tell. */
  pulse(): void;
  /** A line that could not be read. */
  malformed(bytes: number): void;
  /** Called at the end of a turn: nothing is held back beyond it. */
  flush(): void;
}

export function createReporter(options: ReporterOptions): Reporter {
  const { clock, emit } = options;
  const meter = createUsageMeter(options.resumed);
  let model = options.model;
  let pulsedAt = clock.elapsed();
  let apiError: string | null = null;
  let resetAt: number | null = null;

  const emitIfAny = (event: AgentEvent | null): void => {
    if (event === null) return;
    pulsedAt = clock.elapsed();
    if (event.type === 'activity') gate.accept(event);
    else emit(event);
  };
  const gate = createActivityGate(clock, emit);
  const unread = createUnreadLines(clock, emit);

  const pulse = (): void => {
    if (clock.elapsed() - pulsedAt >= options.pulseMs) emitIfAny({ type: 'notification', name: 'working' });
  };

  const acceptAssistant = (message: Fields): void => {
    const parsed = assistantSchema.safeParse(message).data;
    if (parsed === undefined) return;
    apiError = parsed.error ?? null;
    for (const block of parsed.message.content) emitIfAny(activityOf(block));
    const { id, usage } = parsed.message;
    if (usage !== undefined) emitIfAny(meter.acceptMessage(id, usage));
  };

  const acceptSystem = (message: Fields): void => {
    if (message['subtype'] === 'init') {
      const init = initSchema.safeParse(message).data;
      if (init === undefined || init.model === model) return;
      model = init.model;
      emitIfAny({ type: 'model_changed', model });
    } else if (message['subtype'] === 'api_retry') {
      const retry = retrySchema.safeParse(message).data;
      if (retry !== undefined) emitIfAny({ type: 'notification', name: retryNote(retry) });
    } else {
      pulse();
    }
  };

  const acceptRateLimit = (message: Fields): void => {
    const info = rateLimitSchema.safeParse(message).data?.rate_limit_info;
    if (info === undefined) return;
    if (info.status === 'rejected' && info.resetsAt !== undefined) resetAt = info.resetsAt * 1000;
    emitIfAny({ type: 'rate_limits', rateLimits: info });
  };

  return {
    pulse,
    malformed: (bytes) => unread.accept(bytes),
    flush() {
      unread.flush();
      gate.flush();
    },
    accept(type, message) {
      if (type === 'assistant') acceptAssistant(message);
      else if (type === 'system') acceptSystem(message);
      else if (type === 'rate_limit_event') acceptRateLimit(message);
      else pulse();
    },
    acceptResult(result) {
      emitIfAny(meter.acceptResult(result));
      const facts = { apiError, resetAt: resetAt !== null && resetAt > clock.now() ? resetAt : null };
      apiError = null;
      return facts;
    },
  };
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
