import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';

export interface UnreadLines {
  /** A line that could not be read. */
  accept(bytes: number): void;
  flush(): void;
}

const PAUSE_MS = 1_000;

/** Reports lines that could not be read; many of them in a second are one event. */
export function createUnreadLines(clock: Clock, emit: (event: AgentEvent) => void): UnreadLines {
  let unread = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  const flush = (): void => {
    if (unread === 0) return;
    emit({ type: 'malformed', bytes: unread });
    unread = 0;
    toldAt = clock.elapsed();
  };

  return {
    accept(bytes) {
      unread += bytes;
      const since = clock.elapsed() - toldAt;
      // A clock that was set back must not silence it.
      if (since >= PAUSE_MS || since < 0) flush();
    },
    flush,
  };
}
