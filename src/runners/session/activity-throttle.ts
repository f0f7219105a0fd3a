import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Activity } from './activity.ts';

export interface ActivityThrottle {
  accept(activity: Activity): void;
  /** Reports what was held back last, so that the end of a flood is seen. */
  flush(): void;
}

/** No agent works this fast; what does is a flood, and everything behind the runner pays for each event. */
const BURST = 100;
const PER_SECOND = 20;

/** Lets activities through at any human pace; in a flood it keeps some, the last one, and the number of the others. */
export function createActivityThrottle(clock: Clock, emit: (event: AgentEvent) => void): ActivityThrottle {
  let allowance = BURST;
  let filledAt = clock.elapsed();
  let held: { readonly count: number; readonly last: Activity } | null = null;

  const refill = (): void => {
    const now = clock.elapsed();
    allowance = Math.min(BURST, allowance + (Math.max(0, now - filledAt) / 1000) * PER_SECOND);
    filledAt = now;
  };

  const tellHeld = (): void => {
    if (held === null) return;
    const { count } = held;
    held = null;
    emit({ type: 'notification', name: `${count} activities came too fast to be recorded` });
  };

  return {
    accept(activity) {
      refill();
      if (allowance < 1) {
        held = { count: (held?.count ?? 0) + 1, last: activity };
        return;
      }
      allowance -= 1;
      tellHeld();
      emit(activity);
    },
    flush() {
      const last = held?.last;
      if (held !== null) held = held.count === 1 ? null : { ...held, count: held.count - 1 };
      tellHeld();
      if (last !== undefined) emit(last);
    },
  };
}
