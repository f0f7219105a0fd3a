/** `skip`: nothing can be said, because it was not asked for or something before it is missing. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

export interface Verdict {
  readonly status: Status;
  /** What was found, in a sentence or two; never a secret. */
  readonly text: string;
  /** What to do about it, as an instruction; null when there is nothing to do. */
  readonly fix: string | null;
}

/** One thing that must be true for a worker to do its work. It looks, and changes nothing. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** May reject: an error is a failed check, and its hint the fix. */
  run(signal: AbortSignal): Promise<Verdict>;
}

export function ok(text: string): Verdict {
  return { status: 'ok', text, fix: null };
}

export function warn(text: string, fix: string): Verdict {
  return { status: 'warn', text, fix };
}

export function fail(text: string, fix: string): Verdict {
  return { status: 'fail', text, fix };
}

export function skip(text: string): Verdict {
  return { status: 'skip', text, fix: null };
}
