import type { StateSnapshot } from '../contract/state.ts';

/** How the news of the worker come, and whether they do. */
export interface Connection {
  readonly kind: 'connecting' | 'live' | 'polling' | 'away';
  /** Why there are none; null while there are. */
  readonly problem: string | null;
  /** When this began, on the clock of this machine. */
  readonly since: number;
}

/** What was heard of the worker last. */
export interface Known {
  readonly state: StateSnapshot;
  /** On the clock of this machine. */
  readonly receivedAt: number;
  /** False for a worker that can only be looked at: a Go worker, or one whose token is not known. */
  readonly takesActions: boolean;
}

/** Everything there is to show, besides what the person at the keys has chosen. */
export interface View {
  readonly connection: Connection;
  readonly known: Known | null;
  /** Where the page of the worker is; null while nobody knows or when it is off. */
  readonly pageUrl: string | null;
  readonly tokensPerSecond: number | null;
  /** Of a worker in this very terminal: what it says, the latest last. */
  readonly log: readonly string[];
  /** Something the one who shows the board has to say. */
  readonly notice: string | null;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The clock of the worker. It stands still while there are no news: nothing is made up. */
export function workerNow({ connection, known }: View, now: number): number {
  if (known === null) return now;
  const generatedAt = Date.parse(known.state.generated_at);
  const age = connection.kind === 'away' ? 0 : Math.max(0, now - known.receivedAt);
  return generatedAt + age;
}
