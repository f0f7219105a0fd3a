import type { RepoConfig } from '../config/config.ts';
import type { Issue, IssueId } from '../domain/issue.ts';
import type { PushRequest, PushResult } from '../domain/push.ts';
import type { BranchStanding, RunEvidence } from '../domain/run-outcome.ts';

/** Takes the plain pushes of one workspace until it is closed. */
export interface OpenRelay {
  /** Resolves when what is being pushed has been answered. */
  close(): Promise<void>;
}

/** One directory per issue, kept between runs. */
export interface Workspaces {
  /** Creates or reuses the issue's workspace. Existing commits and edits are never reset. */
  prepare(request: PrepareRequest, signal: AbortSignal): Promise<Workspace>;
  /** What the work branch holds now, compared with the base and with `since` (the head before the run). */
  evidence(workspace: Workspace, signal?: AbortSignal): Promise<RunEvidence>;
  /**
   * The same workspace with its git facts read again: for a plain directory that hooks turned into a repository.
   * `headAtStart` is the head now.
   */
  reread(workspace: Workspace): Promise<Workspace>;
  /**
   * Says that `after_create` succeeded. Until then, and until the first file under `.aiops` is written, a workspace
   * counts as half made: the next `prepare` saves what is in it, starts afresh and answers `createdNow` again.
   */
  confirmCreated(workspace: Workspace): Promise<void>;
  /** Saves unpushed work, then deletes the issue's workspace if it exists and belongs to this scope. */
  remove(identifier: string, signal: AbortSignal, options?: RemoveOptions): Promise<RemovalReport>;
  /**
   * Puts the issue's own work branch onto the remote with the worker's credential, whether a run lives or not. What the
   * agent's repository says is never obeyed; refusals and failures are answers.
   */
  push(identifier: string, request: PushRequest, signal: AbortSignal): Promise<PushResult>;
  /** What is checked out in the issue's workspace, and whether the remote has it; null where that cannot be found out. */
  branchStanding(identifier: string, signal: AbortSignal): Promise<BranchStanding>;
  /**
   * While the relay is open, a plain `git push` in the workspace arrives at `push`, and what `git fetch` brings is kept
   * fresh. Where agents push by themselves there is no relay to open.
   */
  openRelay(workspace: Workspace, push: (request: PushRequest) => Promise<PushResult>): OpenRelay;
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
  readonly git: WorkspaceGit | null;
}

export interface WorkspaceGit {
  /** The issue's work branch; what is checked out may be another one if the agent switched. */
  readonly branch: string;
  readonly baseBranch: string;
  readonly headAtStart: string;
  /** The mirror whose objects the workspace borrows: a sandbox must let the agent read it. */
  readonly mirrorPath?: string;
  /** Commits the base branch has that the work branch lacks: offered to the agent as `origin/<base>`, never merged. */
  readonly behindBase?: number;
}

export interface OwnedWorkspace {
  readonly path: string;
  readonly key: string;
  readonly issueId: string;
  readonly identifier: string;
}

export interface RemoveOptions {
  /** Runs before anything is saved or deleted, after the path has been found safe; its failure stops nothing. */
  beforeRemove?(workspace: OwnedWorkspace): Promise<void>;
  /** Also removes what this issue has under an identifier it had earlier. */
  readonly issueId?: IssueId;
  /** Why, for the rescue's manifest. Default `removed`. */
  readonly reason?: string;
}

export interface RemovalReport {
  readonly removed: boolean;
  /** Where unpushed work was saved, if there was any. */
  readonly rescuedTo: string | null;
}
