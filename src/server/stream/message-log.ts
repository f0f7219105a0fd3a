/** A message as it goes over the wire, with what decides who gets it. */
export interface LoggedMessage {
  readonly seq: number;
  /** Null for what everybody gets. */
  readonly runId: string | null;
  readonly text: string;
}

/** Which runs' events a client wants. */
export type RunFilter = 'none' | 'all' | ReadonlySet<string>;

export function wants(filter: RunFilter, { runId }: Pick<LoggedMessage, 'runId'>): boolean {
  if (runId === null || filter === 'all') return true;
  return filter !== 'none' && filter.has(runId);
}

/** The last messages, for clients that come back. Bounded in number and size. */
export class MessageLog {
  readonly #maxMessages: number;
  readonly #maxCharacters: number;
  #messages: LoggedMessage[] = [];
  #first = 0;
  #characters = 0;
  /** Messages up to this one are gone. */
  #droppedSeq: number;

  constructor(startSeq: number, maxMessages: number, maxCharacters: number) {
    this.#droppedSeq = startSeq;
    this.#maxMessages = maxMessages;
    this.#maxCharacters = maxCharacters;
  }

  add(message: LoggedMessage): void {
    this.#messages.push(message);
    this.#characters += message.text.length;
    while (
      this.#messages.length - this.#first > this.#maxMessages ||
      (this.#characters > this.#maxCharacters && this.#first < this.#messages.length)
    ) {
      const gone = this.#messages[this.#first];
      this.#first += 1;
      this.#characters -= gone?.text.length ?? 0;
      this.#droppedSeq = gone?.seq ?? this.#droppedSeq;
    }
    if (this.#first > this.#maxMessages) {
      this.#messages = this.#messages.slice(this.#first);
      this.#first = 0;
    }
  }

  /** What came after a message; null when some of it is gone. */
  after(seq: number): readonly LoggedMessage[] | null {
    if (seq < this.#droppedSeq) return null;
    let low = this.#first;
    let high = this.#messages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#messages[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return this.#messages.slice(low);
  }
}
