import type { Config } from '../config/config.ts';
import type { PushRequest, PushResult } from '../domain/push.ts';
import type { RunEvent, TurnDecision } from '../domain/run-event.ts';
import type { RunEvidence, RunResult, StopReason } from '../domain/run-outcome.ts';
import type { StartRun } from '../domain/start-run.ts';
import type { ToolCall, ToolResult, ToolSpec } from '../domain/tool.ts';

/** The settings a run sees: the workflow as it was at dispatch, without the tracker. Serialisable. */
export type RunSettings = Pick<
  Config,
  | 'promptTemplate'
  | 'promptLine'
  | 'repo'
  | 'workspace'
  | 'hooks'
  | 'agent'
  | 'prompt'
  | 'policy'
  | 'verify'
  | 'sandbox'
  | 'rescue'
> & {
  readonly trackerKind: string;
  /** Tells this tracker scope from others; owns workspaces. */
  readonly trackerScope: string;
  /** True when the tracker may give the id of an earlier issue to another one. */
  readonly reusesIds: boolean;
};

/** Everything a run is told at its start. */
export interface RunSpec extends StartRun {
  readonly tools: readonly ToolSpec[];
  /** Environment variables that must not reach any child of the run. */
  readonly secretEnvironmentNames: readonly string[];
  readonly settings: RunSettings;
}

/** The run's only way to the rest of the worker. Everything that crosses it is serialisable. */
export interface RunChannel {
  emit(event: RunEvent): void;
  /** Asked after each completed turn, and once more with the evidence when the answer was `inspect`. */
  mayContinue(turn: number, evidence?: RunEvidence): Promise<TurnDecision>;
  callTool(call: ToolCall): Promise<ToolResult>;
  /** Asks for the run's own branch to be put onto the remote. */
  push(request: PushRequest): Promise<PushResult>;
  /** Has `listener` called with what an operator says to the agent while the run lives. */
  onMessage(listener: (text: string) => void): void;
  /** Aborted with a StopReason when the scheduler wants the run to end. */
  readonly stop: AbortSignal;
}

/** Executes one run to its end; never rejects. */
export type ExecuteRun = (spec: RunSpec, channel: RunChannel) => Promise<RunResult>;

/** The reason a channel's stop signal carries. */
export function stopReasonOf(signal: AbortSignal): StopReason {
  return signal.reason as StopReason;
}
