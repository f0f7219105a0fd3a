import type { StateSnapshot } from '../../contract/state.ts';
import type { RunMessage, StreamMessage } from '../../contract/stream.ts';
import type { WorkerPort } from '../worker-port.ts';
import { diffSnapshots } from './diff-snapshots.ts';
import { type LoggedMessage, MessageLog } from './message-log.ts';

export interface HubLimits {
  /** Changes are gathered for so long, then sent together. */
  readonly flushMs: number;
  /** Also well below the time after which a silent connection is given up. */
  readonly heartbeatMs: number;
  /** How long changes are still followed for clients that may come back. */
  readonly lingerMs: number;
  readonly maxClients: number;
  readonly logMessages: number;
  readonly logCharacters: number;
}

export const LIMITS: HubLimits = {
  flushMs: 100,
  heartbeatMs: 5_000,
  lingerMs: 60_000,
  maxClients: 500,
  logMessages: 20_000,
  logCharacters: 16 * 1024 * 1024,
};

/** Where the messages go. */
export interface Outlet {
  nextId(): number;
  format(seq: number, message: StreamMessage): string;
  deliver(messages: readonly LoggedMessage[]): void;
  beat(): void;
  /** Whether anybody asked for the events of runs. */
  wantsRuns(): boolean;
  idle(): void;
}

/** The time during which somebody listens, or may come back. */
export class Following {
  readonly log: MessageLog;
  readonly #worker: WorkerPort;
  readonly #limits: HubLimits;
  readonly #outlet: Outlet;
  readonly #unsubscribe: () => void;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #pendingRuns: (() => RunMessage)[] = [];
  #shown: StateSnapshot;
  #shownSeq: number;
  #stateText: string | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #leaving: ReturnType<typeof setTimeout> | null = null;

  constructor(worker: WorkerPort, limits: HubLimits, outlet: Outlet, seq: number) {
    this.#worker = worker;
    this.#limits = limits;
    this.#outlet = outlet;
    this.log = new MessageLog(seq, limits.logMessages, limits.logCharacters);
    this.#shown = worker.snapshot();
    this.#shownSeq = seq;
    this.#unsubscribe = worker.subscribe({
      changed: () => this.#schedule(),
      runEvent: (_runId, message) => {
        if (!outlet.wantsRuns()) return;
        this.#pendingRuns.push(message);
        this.#schedule();
      },
    });
    this.#heartbeat = setInterval(() => {
      this.flush(true);
      outlet.beat();
    }, limits.heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Sends what has gathered. With `clocks`, running times too. */
  flush(clocks = false): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const messages: LoggedMessage[] = [];
    const runs = this.#pendingRuns;
    this.#pendingRuns = [];
    for (const make of runs) {
      const message = make();
      messages.push(this.#number(message, message.run_id));
    }
    const now = this.#worker.snapshot();
    const diff = diffSnapshots(this.#shown, now, clocks);
    if (diff !== null) {
      const message: StreamMessage = diff === 'everything' ? { type: 'state', state: now } : diff;
      messages.push(this.#number(message, null));
      this.#shown = now;
    }
    if (messages.length === 0) return;
    this.#shownSeq = messages.at(-1)?.seq ?? this.#shownSeq;
    this.#stateText = null;
    for (const message of messages) this.log.add(message);
    this.#outlet.deliver(messages);
  }

  /** The whole state, as of the last message. */
  stateText(): string {
    this.#stateText ??= this.#outlet.format(this.#shownSeq, { type: 'state', state: this.#shown });
    return this.#stateText;
  }

  stayOn(): void {
    if (this.#leaving !== null) clearTimeout(this.#leaving);
    this.#leaving = null;
  }

  linger(): void {
    this.stayOn();
    this.#leaving = setTimeout(() => this.#outlet.idle(), this.#limits.lingerMs);
    this.#leaving.unref();
  }

  stop(): void {
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    this.stayOn();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.flush(), this.#limits.flushMs);
    this.#timer.unref();
  }

  #number(message: StreamMessage, runId: string | null): LoggedMessage {
    const seq = this.#outlet.nextId();
    return { seq, runId, text: this.#outlet.format(seq, message) };
  }
}
