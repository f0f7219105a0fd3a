import type { Clock } from '../domain/clock.ts';

export interface SilenceWatch {
  readonly clock: Clock;
  readonly silenceMs: number;
  /** When the agent was last heard. */
  heardAt(): number;
  onSilent(): void;
}

/** Calls back once when nothing was heard for the time a turn may be silent, counted from now at the earliest. Ends with the answer. */
export function watchSilence({ clock, silenceMs, heardAt, onSilent }: SilenceWatch): () => void {
  const begunAt = clock.now();
  let cancel = (): void => {};
  const wait = (): void => {
    const left = silenceMs - (clock.now() - Math.max(begunAt, heardAt()));
    if (left <= 0) onSilent();
    // A clock that was set back must not make the wait longer than the silence itself.
    else cancel = clock.setTimer(Math.min(left, silenceMs), wait);
  };
  wait();
  return () => cancel();
}
