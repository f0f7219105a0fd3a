/** A moment on both clocks of the browser: the wall clock may be set, the other one may sleep. */
export interface Instant {
  /** Milliseconds since the epoch. */
  readonly wall: number;
  /** Milliseconds since the page was opened. */
  readonly steady: number;
}

export function readInstant(): Instant {
  return { wall: Date.now(), steady: performance.now() };
}

/** The larger of both clocks' answers: what is shown may be younger than we say, never older. */
export function elapsedMs(since: Instant, now: Instant): number {
  return Math.max(0, now.wall - since.wall, now.steady - since.steady);
}
