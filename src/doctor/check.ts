import { ok, type Verdict } from '../domain/verdict.ts';

/**
 * What a rule looks at: the settings alone, files that the settings name, this machine, or others that have to be asked.
 * `aiops config check` looks at settings and files only.
 */
export type Need = 'config' | 'files' | 'machine' | 'tracker' | 'repository' | 'agent';

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

/** The problems, or that there is none. */
export function problemsOr(problems: readonly Verdict[], good: string): Verdict | readonly Verdict[] {
  return problems.length === 0 ? ok(good) : problems;
}
