import type { AgentEvent } from '../domain/agent-event.ts';
import type { Issue } from '../domain/issue.ts';
import type { ToolCall, ToolResult, ToolSpec } from '../domain/tool.ts';
import type { Logger } from '../observability/logger.ts';

/** Starts agent sessions of one kind. */
export interface Runner {
  readonly kind: string;
  /**
   * Launches the agent in the workspace and opens a session. Rejects with an AppError (`agent_not_found`,
   * `response_timeout`, `port_exit`, …) after ending whatever it started. Aborting `signal` ends the start.
   */
  start(input: SessionInput, signal: AbortSignal): Promise<AgentSession>;
}

export interface SessionInput {
  readonly runId: string;
  readonly issue: Issue;
  /** Absolute; the agent's working directory. */
  readonly workspacePath: string;
  /** Folders outside of the workspace that it borrows from, as the worker recorded them; a sandbox shows them. */
  readonly borrowedFolders?: readonly string[];
  /** The agent's whole environment; the runner adds nothing from the worker's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** A session to resume where the agent can, else null. */
  readonly resumeSessionId: string | null;
  /** A person's answer to the question the last run ended with; it may approve what the agent asked for. */
  readonly answer?: string | null;
  readonly tools: readonly ToolSpec[];
  callTool(call: ToolCall): Promise<ToolResult>;
  /** Called in order, never after `stop` has resolved. */
  onEvent(event: AgentEvent): void;
  readonly logger: Logger;
}

/** One live agent process. Turns run one at a time. */
export interface AgentSession {
  /**
   * Runs one turn to its end. Resolves with how it ended; rejects only for a bug.
   * Aborting `signal` interrupts politely and resolves as `interrupted`; `stop` still has to be called.
   */
  runTurn(prompt: string, signal: AbortSignal): Promise<TurnResult>;
  /** Says something to the agent in the middle of a turn; false when it came too late. Null: this agent cannot listen. */
  readonly steer: ((text: string) => Promise<boolean>) | null;
  /** Ends the session and proves its whole process tree gone. Safe to call twice; never rejects. */
  stop(): Promise<void>;
}

export type TurnResult =
  | { readonly kind: 'completed' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'input_required'; readonly method: string; readonly question: string }
  | { readonly kind: 'quota'; readonly message: string; readonly resetAt: number | null }
  | { readonly kind: 'timed_out'; readonly message: string }
  /** `code` is an error code such as `turn_failed` or `port_exit`. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
