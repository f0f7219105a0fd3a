import type { CommandResult } from '../process/children/child.ts';
import type { AgentEnvironment, AgentLook } from '../runners/inspection.ts';
import type { ForeignPush } from '../workspaces/ownership/seen-branch.ts';
import type { KeptRescue } from '../workspaces/rescue/over-limit.ts';
import type { ReachableAgent } from './rules/agent/reachable-agents.ts';

export interface FolderFacts {
  /** The folder itself, or the nearest one above it that exists. */
  readonly nearest: string;
  readonly exists: boolean;
  /** Null, or why this user may not write to `nearest`. */
  readonly problem: string | null;
}

export interface PortFacts {
  /** What stands in the way; null when the address can be had. */
  readonly problem: { readonly message: string; readonly hint: string } | null;
  readonly holderPid: number | null;
}

export interface TrackerAnswer {
  readonly issues: number;
  /** What the adapter warned of on the way. */
  readonly warnings: readonly string[];
}

/** The labels by which issues of a forge are in a state. */
export interface StateLabelFacts {
  readonly labels: readonly { readonly label: string; readonly state: string }[];
}

export interface LabelFacts {
  /** Names of state labels that the repository lacks. */
  readonly missing: readonly string[];
  /** All that it has. */
  readonly existing: readonly string[];
}

/** Everything the checks need of the world. Each looks and leaves no trace; what fails rejects with a hint. */
export interface Effects extends AgentLook {
  readonly nodeVersion: string;
  gitVersion(): Promise<CommandResult>;
  folder(path: string): Promise<FolderFacts>;
  /** What is only this workflow's: its worker's record and, by default, all of its state. */
  stateFolder(): string;
  /** Why an existing folder is not this user's alone, and the command that mends it; else null. */
  whyNotPrivate(
    path: string,
  ): Promise<{ readonly why: string; readonly fix: string; readonly closable: boolean } | null>;
  /** The cgroup below which each agent gets one of its own, or why there is none. */
  probeCgroups(): Promise<{ readonly own: string } | { readonly why: string }>;
  /** Where an earlier version kept the state of this workflow, when that was left behind; else null. */
  earlierRoot(): Promise<string | null>;
  /** Rejects when the disk that holds an existing folder has less. */
  requireFreeSpace(folder: string, bytes: number): Promise<void>;
  /** How many runs the journal of a workspace root names; null when there is none yet. */
  readJournal(root: string): Promise<{ readonly recentRuns: number; readonly problem: string | null } | null>;
  /** Rescues below a workspace root that are beyond the limits and hold the last copy of a commit. */
  keptRescues(root: string): Promise<readonly KeptRescue[]>;
  /** What came to the branches of issues after their runs had begun, not through the worker; the newest first. */
  foreignPushes(root: string): Promise<readonly ForeignPush[]>;
  tryPort(host: string, port: number): Promise<PortFacts>;
  /** The live worker of this workflow, if there is one. */
  findWorker(): Promise<{ readonly pid: number; readonly host: string } | null>;
  /** The live worker of this user on this machine whose issues overlap with those of the workflow; what it means, and the fix. */
  findScopeHolder(): Promise<{
    readonly pid: number;
    readonly workflowPath: string;
    readonly text: string;
    readonly fix: string;
  } | null>;
  /** The lengths of the tokens that guard the API. */
  tokenLengths(): Promise<{ readonly full: number | null; readonly readOnly: number | null }>;
  isLoopback(host: string): boolean;
  askTracker(states: readonly string[], signal: AbortSignal): Promise<TrackerAnswer>;
  /** Null where states are no labels. */
  readLabels(signal: AbortSignal): Promise<LabelFacts | null>;
  /** The table of labels; null where each state is the label of its name, or no label at all. */
  stateLabels(): StateLabelFacts | null;
  /** Names of the states that the tracker's own workflows have; null when it does not tell. */
  workflowStates(signal: AbortSignal): Promise<readonly string[] | null>;
  /** Without symbolic links, as far as it exists. */
  realPath(path: string): Promise<string>;
  isRepository(path: string): Promise<'repository' | 'folder' | 'file' | 'missing'>;
  /** Names of branches; rejects when the repository cannot be read. */
  remoteBranches(cloneUrl: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether git itself could answer when the host asks who it is. */
  gitSignsIn(cloneUrl: string): Promise<boolean>;
  /** Rejects when the remote would not take a new branch. Nothing is sent. */
  tryPush(cloneUrl: string, signal: AbortSignal): Promise<void>;
  /** Starts the agent and ends it when it has answered; rejects when it does not. */
  tryAgent(
    agent: ReachableAgent,
    env: AgentEnvironment,
    signal: AbortSignal,
  ): Promise<{ readonly ms: number }>;
  agentEnvironment(agent: ReachableAgent): Promise<AgentEnvironment>;
  /** Starts `true` in the sandbox of the workflow. */
  trySandbox(env: AgentEnvironment, signal: AbortSignal): Promise<CommandResult>;
}
