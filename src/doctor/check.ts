/** `skip`: nothing can be said, because it was not asked for or something before it is missing. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

/**
 * What a rule looks at: the settings alone, files that the settings name, this machine, or others that have to be asked.
 * `aiops config check` looks at settings and files only.
 */
export type Need = 'config' | 'files' | 'machine' | 'tracker' | 'repository' | 'agent';

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

/** One thing that must be true for a worker to do its work. It looks, and changes nothing. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly needs: Need;
  /** True for what takes long, or what a worker finds out by itself when it starts. */
  readonly doctorOnly?: boolean;
  /** True when only some runs would fail, or when it is put right without a change of the set-up: no reason not to start. */
  readonly optional?: boolean;
  /** True for what may come while a worker runs: it is looked at again and again, also when all was well. */
  readonly watched?: boolean;
  /** May reject: an error is a failed check, and its hint the fix. Several verdicts are several problems of one kind. */
  run(signal: AbortSignal): Promise<Verdict | readonly Verdict[]>;
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

/** The problems, or that there is none. */
export function problemsOr(problems: readonly Verdict[], good: string): Verdict | readonly Verdict[] {
  return problems.length === 0 ? ok(good) : problems;
}
