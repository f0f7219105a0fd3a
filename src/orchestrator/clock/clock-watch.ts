import type { Clock } from '../../domain/clock.ts';
import type { ClockMove } from '../../scheduler/core/events.ts';

/** A pause in which nothing happens is noticed this long after it, at the latest. */
const LOOK_EVERY_MS = 10_000;
/** Less is the drift of a clock; it adds up until it is told. */
const MIN_JUMP_MS = 1_000;

/** Notices when the wall clock and the time that really passed part, and when the worker could not work for a while. */
export class ClockWatch {
  readonly #clock: Clock;
  #offset: number;
  #paused: number;
  #cancel = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#paused = clock.paused();
    this.#offset = clock.now() - clock.elapsed() - this.#paused;
  }

  /** What moved since the last look; null when nothing did. */
  look(now: number): ClockMove | null {
    const paused = this.#clock.paused();
    const pausedMs = paused - this.#paused;
    const jumpMs = now - this.#clock.elapsed() - paused - this.#offset;
    const jumped = Math.abs(jumpMs) >= MIN_JUMP_MS;
    if (!jumped && pausedMs === 0) return null;
    this.#paused = paused;
    if (jumped) this.#offset += jumpMs;
    return { jumpMs: jumped ? Math.round(jumpMs) : 0, pausedMs: Math.round(pausedMs) };
  }

  /** Calls back now and then, so that somebody looks. */
  start(onTime: () => void): void {
    this.#cancel = this.#clock.setTimer(LOOK_EVERY_MS, () => {
      this.start(onTime);
      onTime();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
