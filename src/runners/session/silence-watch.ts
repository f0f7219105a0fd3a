import type { Clock } from '../../domain/clock.ts';

export interface SilenceWatch {
  readonly clock: Clock;
  readonly silenceMs: number;
  /** When the agent was last heard, in `elapsed` time. */
  heardAt(): number;
  onSilent(): void;
}

/** What an agent has said may still wait in its pipe when a timer fires; it is read within this time. */
const DRAIN_MS = 100;

/** Calls back once when nothing was heard for so long, counted from now at the earliest. Ends with the answer. */
export function watchSilence({ clock, silenceMs, heardAt, onSilent }: SilenceWatch): () => void {
  const begunAt = clock.elapsed();
  let cancel = (): void => {};
  const left = (): number => silenceMs - (clock.elapsed() - Math.max(begunAt, heardAt()));
  const wait = (): void => {
    cancel = clock.setTimer(left(), () => {
      if (left() > 0) wait();
      else cancel = clock.setTimer(DRAIN_MS, judge);
    });
  };
  const judge = (): void => {
    if (left() > 0) wait();
    else onSilent();
  };
  wait();
  return () => cancel();
}
