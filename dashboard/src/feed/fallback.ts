import type { StateSnapshot } from '../../../src/contract/state.ts';

export interface FallbackPorts {
  /** Asks the worker for its state once. */
  ask(): Promise<StateSnapshot>;
  setTimer(delayMs: number, callback: () => void): () => void;
  onState(state: StateSnapshot): void;
  onFailure(error: unknown): void;
  /** The worker answers again after it did not: the stream is worth another try at once. */
  onReturn(): void;
}

/** How long a stream may take to begin, or to begin again. */
const OPENING_MS = 3_500;
/** The worker sends something every five seconds. A stream silent for longer is held back somewhere. */
const SILENCE_MS = 12_000;
export const ASK_EVERY_MS = 3_000;

/** Asks for the state from time to time while the stream brings nothing. */
export class Fallback {
  readonly #ports: FallbackPorts;
  #cancel = (): void => {};
  /** What the running timer waits for: the stream to begin, to go on, or the next question. */
  #mode: 'opening' | 'silence' | 'asking' = 'opening';
  #wasAway = false;
  /** Answers to questions of an earlier round are not wanted any more. */
  #round = 0;

  constructor(ports: FallbackPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#wait(OPENING_MS, 'opening');
  }

  /** The stream has brought something: nothing needs to be asked. */
  heard(): void {
    this.#wasAway = false;
    this.#wait(SILENCE_MS, 'silence');
  }

  /** The stream is down and being opened again. Questions that are asked already go on. */
  failed(): void {
    if (this.#mode === 'silence') this.#wait(OPENING_MS, 'opening');
  }

  stop(): void {
    this.#round += 1;
    this.#cancel();
  }

  #wait(delayMs: number, mode: 'opening' | 'silence' | 'asking'): void {
    this.stop();
    this.#mode = mode;
    this.#cancel = this.#ports.setTimer(delayMs, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    this.#mode = 'asking';
    const round = this.#round;
    try {
      const state = await this.#ports.ask();
      if (round === this.#round) this.#answered(state);
    } catch (error) {
      if (round !== this.#round) return;
      this.#wasAway = true;
      this.#ports.onFailure(error);
      this.#wait(ASK_EVERY_MS, 'asking');
    }
  }

  #answered(state: StateSnapshot): void {
    if (this.#wasAway) {
      this.#wasAway = false;
      this.#wait(OPENING_MS, 'opening');
      this.#ports.onReturn();
      return;
    }
    this.#ports.onState(state);
    this.#wait(ASK_EVERY_MS, 'asking');
  }
}
