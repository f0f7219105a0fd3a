import type { Issue } from '../domain/issue.ts';
import type { FollowUps, ToolCall, ToolResult, ToolSpec } from '../domain/tool.ts';

/** Tools that a run offers to its agent. They run in the worker; results carry failures, nothing throws. */
export interface RunTools {
  readonly specs: readonly ToolSpec[];
  /** Names of environment variables that hold the credentials behind the tools: never given to an agent. */
  readonly secretEnvironmentNames: readonly string[];
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>;
}

/** The issue is the one the run was started for; a tool may touch no other. */
export interface ToolContext {
  readonly issue: Issue;
  /** The run's own work branch; null or left out when its workspace is no clone of the repository. */
  readonly branch?: string | null;
  readonly signal: AbortSignal;
  /** Remembered with the issue, so that a limit on them survives a restart; without it none may be filed. */
  readonly followUps?: FollowUpLedger;
}

export interface FollowUpLedger {
  read(): FollowUps;
  /** What is added is written down when it returns. */
  add(more: FollowUps): void;
}
