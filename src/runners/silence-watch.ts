import type { Clock } from '../domain/clock.ts';

export interface SilenceWatch {
  readonly clock: Clock;
  readonly silenceMs: number;
  /** When the agent was last heard. */
  heardAt(): number;
  onSilent(): void;
}

/** Calls back once when nothing was heard for so long, counted from now at the earliest. Ends with the answer. */
export function watchSilence({ clock, silenceMs, heardAt, onSilent }: SilenceWatch): () => void {
  let begunAt = clock.now();
  let cancel = (): void => {};
  const wait = (): void => {
    const now = clock.now();
    const heard = heardAt();
    // A clock that was set back leaves times in the future; from then on the silence is counted anew.
    begunAt = Math.min(now, heard > now ? begunAt : Math.max(begunAt, heard));
    const left = silenceMs - (now - begunAt);
    if (left <= 0) onSilent();
    else cancel = clock.setTimer(left, wait);
  };
  wait();
  return () => cancel();
}
