import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { createActivityThrottle } from './activity-throttle.ts';
import { createUnreadLines } from './unread-lines.ts';

/** What a session reports, at a pace that everything behind it can bear. */
export interface Reports {
  /** Activities in a flood are held back; null is nothing to tell. */
  emit(event: AgentEvent | null): void;
  /** The agent lives but has nothing to tell: reported now and then, so that it does not count as stalled. */
  pulse(name: string): void;
  /** A line that could not be read; many of them in a second are one event. */
  unread(bytes: number): void;
  /** Called at the end of a turn: nothing is held back beyond it. */
  flush(): void;
}

export function createReports(clock: Clock, pulseMs: number, tell: (event: AgentEvent) => void): Reports {
  let toldAt = clock.elapsed();
  const emit = (event: AgentEvent): void => {
    toldAt = clock.elapsed();
    tell(event);
  };
  const throttle = createActivityThrottle(clock, emit);
  const unread = createUnreadLines(clock, emit);

  return {
    emit(event) {
      if (event?.type === 'activity') throttle.accept(event);
      else if (event !== null) emit(event);
    },
    pulse(name) {
      const silence = clock.elapsed() - toldAt;
      // A clock that was set back must not silence the pulse.
      if (silence >= pulseMs || silence < 0) emit({ type: 'notification', name });
    },
    unread: unread.accept,
    flush() {
      unread.flush();
      throttle.flush();
    },
  };
}
