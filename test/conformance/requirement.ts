/** How binding a line of the SPEC is; a documentation deliverable and an optional feature are told apart from the rest. */
export type Level = 'must' | 'should' | 'behaviour' | 'optional' | 'docs' | 'may';

export type Status =
  /** The title of a test names the line. */
  | { readonly kind: 'cited' }
  /** A page says it: `FILE#heading`, and a phrase in that heading's part of the page. */
  | { readonly kind: 'documented'; readonly where: string; readonly phrase: string }
  /** A later issue builds it. */
  | { readonly kind: 'deferred'; readonly issue: string; readonly reason: string };

/** One checkable line of the SPEC, in our words. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  readonly status: Status;
}

/** The lines of one section of the SPEC. `count` is pinned, so that no line gets lost. */
export interface Section {
  readonly name: string;
  readonly count: number;
  readonly lines: readonly Requirement[];
}

const CITED: Status = { kind: 'cited' };

export function line(id: string, level: Level, says: string, status: Status = CITED): Requirement {
  return { id, level, says, status };
}

export function documented(where: string, phrase: string): Status {
  return { kind: 'documented', where, phrase };
}

export function deferred(issue: string, reason: string): Status {
  return { kind: 'deferred', issue, reason };
}

export const REMOTE = deferred('Runs on other machines', 'runs execute on the machine of the worker only');
export const REAL_PROFILE = deferred('Trackers', 'there is no tracker with credentials to run against yet');
