import type { RepoConfig } from '../config/config.ts';
import type { Issue } from '../domain/issue.ts';
import type { RunEvidence } from '../domain/run-outcome.ts';

/** One directory per issue, kept between runs. */
export interface Workspaces {
  /** Creates or reuses the issue's workspace. Existing commits and edits are never reset. */
  prepare(request: PrepareRequest, signal: AbortSignal): Promise<Workspace>;
  /** What the work branch holds now, compared with the base and with `since` (the head before the run). */
  evidence(workspace: Workspace): Promise<RunEvidence>;
  /** Saves unpushed work, then deletes the issue's workspace if it exists and belongs to this scope. */
  remove(identifier: string, signal: AbortSignal): Promise<RemovalReport>;
  /** Workspaces under the root whose ownership record names this scope. */
  list(): Promise<readonly OwnedWorkspace[]>;
}

export interface PrepareRequest {
  readonly issue: Issue;
  /** Null: a plain directory that hooks populate. */
  readonly repo: RepoConfig | null;
  /** Short progress text for people: `cloning`, `checking out 40%`. */
  onProgress(detail: string): void;
}

export interface Workspace {
  /** Absolute, inside the root. */
  readonly path: string;
  readonly key: string;
  readonly createdNow: boolean;
  /** Null for a directory without a repository. */
  readonly git: { readonly branch: string; readonly baseBranch: string; readonly headAtStart: string } | null;
}

export interface OwnedWorkspace {
  readonly path: string;
  readonly key: string;
  readonly issueId: string;
  readonly identifier: string;
}

export interface RemovalReport {
  readonly removed: boolean;
  /** Where unpushed work was saved, if there was any. */
  readonly rescuedTo: string | null;
}
