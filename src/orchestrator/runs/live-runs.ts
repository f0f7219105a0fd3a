import type { PushRequest, PushResult } from '../../domain/push.ts';
import type { RunEvent, RunId, TurnDecision } from '../../domain/run-event.ts';
import { NO_EVIDENCE, type RunResult, type StopReason } from '../../domain/run-outcome.ts';
import {
  type FollowUps,
  type ToolCall,
  type ToolEffect,
  type ToolResult,
  toolFailure,
} from '../../domain/tool.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { ExecuteRun, RunChannel, RunSpec } from '../../run/protocol.ts';
import type { SchedulerEvent } from '../../scheduler/core/events.ts';
import type { FollowUpLedger, RunTools, ToolContext } from '../../tools/run-tools.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';

interface LiveRunHandle {
  readonly stop: AbortController;
  answer: ((decision: TurnDecision) => void) | null;
  onMessage: ((text: string) => void) | null;
  /** What went wrong in the worker while it listened to this run. */
  fault: unknown;
  done: Promise<void>;
}

/** The runs under way in this process: the orchestrator's end of the run protocol. */
export class LiveRuns {
  readonly #execute: ExecuteRun;
  readonly #post: (event: SchedulerEvent) => void;
  readonly #onRunEvent: (runId: RunId, event: RunEvent) => void;
  readonly #followUpsOf: (issueId: string) => FollowUps;
  readonly #runs = new Map<RunId, LiveRunHandle>();

  constructor(
    execute: ExecuteRun,
    post: (event: SchedulerEvent) => void,
    onRunEvent: (runId: RunId, event: RunEvent) => void,
    followUpsOf: (issueId: string) => FollowUps,
  ) {
    this.#followUpsOf = followUpsOf;
    this.#execute = execute;
    this.#post = post;
    this.#onRunEvent = onRunEvent;
  }

  /** Tools and push are of the run's own snapshot: a reload never changes the tools of a live session. */
  start(spec: RunSpec, tools: RunTools, push: Workspaces['push']): void {
    const stop = new AbortController();
    const run: LiveRunHandle = {
      stop,
      answer: null,
      onMessage: null,
      fault: null,
      done: Promise.resolve(),
    };
    this.#runs.set(spec.runId, run);
    run.done = this.#run(spec, {
      ...this.#channel(spec, tools, stop.signal),
      push: (request) => this.#push(spec, push, request, stop.signal),
    });
  }

  stop(runId: RunId, reason: StopReason): void {
    this.#runs.get(runId)?.stop.abort(reason);
  }

  answer(runId: RunId, decision: TurnDecision): void {
    const run = this.#runs.get(runId);
    const answer = run?.answer;
    if (run === undefined || answer === null || answer === undefined) return;
    run.answer = null;
    answer(decision);
  }

  message(runId: RunId, text: string): void {
    this.#runs.get(runId)?.onMessage?.(text);
  }

  /** Resolves when every run that is live now has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.done));
  }

  get size(): number {
    return this.#runs.size;
  }

  async #run(spec: RunSpec, channel: RunChannel): Promise<void> {
    const ended = await this.#execute(spec, channel).catch(crashResult);
    const fault = this.#runs.get(spec.runId)?.fault ?? null;
    const result = fault === null ? ended : { ...ended, end: crashResult(fault).end };
    this.#runs.delete(spec.runId);
    this.#post({ type: 'run_ended', runId: spec.runId, result });
  }

  #channel(spec: RunSpec, tools: RunTools, stop: AbortSignal): Omit<RunChannel, 'push'> {
    const { runId, issue } = spec;
    /** Told by the worker's own part of the run, never by the agent. */
    let branch: string | null = null;
    const followUps: FollowUpLedger = {
      read: () => this.#followUpsOf(issue.id),
      add: (filed) => this.#post({ type: 'follow_ups_filed', runId, filed }),
    };
    return {
      stop,
      emit: (event) => {
        if (event.type === 'workspace') branch = event.branch;
        try {
          this.#onRunEvent(runId, event);
        } catch (error) {
          this.#fail(runId, error);
        }
      },
      onMessage: (listener) => {
        const run = this.#runs.get(runId);
        if (run !== undefined) run.onMessage = listener;
      },
      mayContinue: (turn, evidence) =>
        new Promise((resolve) => {
          const run = this.#runs.get(runId);
          if (run !== undefined) run.answer = resolve;
          this.#post({ type: 'turn_ended', runId, turn, evidence: evidence ?? null });
        }),
      callTool: (call) => this.#callTool(runId, tools, call, { issue, branch, signal: stop, followUps }),
    };
  }

  /** A fault of ours while listening to one run ends that run, as failed, and leaves the others alone. */
  #fail(runId: RunId, error: unknown): void {
    const run = this.#runs.get(runId);
    if (run === undefined || run.fault !== null) return;
    run.fault = error ?? new Error('unknown fault');
    run.stop.abort({ kind: 'operator', by: 'the worker, after a fault of its own' } satisfies StopReason);
  }

  /** A push by plain git counts as a call of a tool: the run is active meanwhile, and what it changed is on record. */
  async #push(
    { runId, issue }: RunSpec,
    push: Workspaces['push'],
    request: PushRequest,
    signal: AbortSignal,
  ): Promise<PushResult> {
    this.#post({ type: 'tool_started', runId });
    const result = await push(issue.identifier, request, signal);
    const effect: ToolEffect | null = result.ok
      ? { kind: 'pushed', branch: result.branch, commit: result.commit }
      : null;
    this.#post({ type: 'tool_finished', runId, effect });
    return result;
  }

  async #callTool(runId: RunId, tools: RunTools, call: ToolCall, context: ToolContext): Promise<ToolResult> {
    if (context.signal.aborted) return toolFailure('run_stopping', 'the run is being stopped');
    this.#post({ type: 'tool_started', runId });
    const result = await tools
      .execute(call, context)
      .catch((error: unknown) => toolFailure('tool_failed', messageOf(error)));
    const effect = result.success ? (result.effect ?? null) : null;
    this.#post({ type: 'tool_finished', runId, effect });
    return result;
  }
}

/** What a run that broke instead of ending counts as. */
export function crashResult(error: unknown): RunResult {
  return {
    end: { kind: 'failed', code: 'internal_error', message: `the run crashed: ${messageOf(error)}` },
    turns: 0,
    evidence: NO_EVIDENCE,
  };
}
