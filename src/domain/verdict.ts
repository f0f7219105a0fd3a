/** `skip`: nothing can be said, because it was not asked for or something before it is missing. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

/** What was found about one thing that must be true of a set-up. */
export interface Verdict {
  readonly status: Status;
  /** What was found, in a sentence or two; never a secret. */
  readonly text: string;
  /** What to do about it, as an instruction; null when there is nothing to do. */
  readonly fix: string | null;
  /** The setting it is about; null when it is about none in particular. */
  readonly key: string | null;
  /** True for what may be over soon without anybody's doing: a worker starts all the same, and looks again. */
  readonly heals: boolean;
}

export function ok(text: string): Verdict {
  return { status: 'ok', text, fix: null, key: null, heals: false };
}

export function warn(text: string, fix: string, key: string | null = null): Verdict {
  return { status: 'warn', text, fix, key, heals: false };
}

export function fail(text: string, fix: string, key: string | null = null): Verdict {
  return { status: 'fail', text, fix, key, heals: false };
}

export function skip(text: string): Verdict {
  return { status: 'skip', text, fix: null, key: null, heals: false };
}
