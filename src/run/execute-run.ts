import type { PushRequest, PushResult } from '../domain/push.ts';
import { type PushFailed, pushFailed } from '../domain/run-event.ts';
import { NO_EVIDENCE, type RunEnd, type RunEvidence } from '../domain/run-outcome.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { OpenRelay, Workspace, Workspaces } from '../workspaces/workspaces.ts';
import type { ExecuteRun, RunChannel, RunSpec } from './protocol.ts';
import { stopReasonOf } from './protocol.ts';
import { type AfterStop, createPatience, createRunDeadline, type Patience } from './run-deadline.ts';
import type { RunPorts } from './run-ports.ts';
import { runTurns } from './run-turns.ts';

/**
 * A stopped run is over within five seconds of the order, whatever its agent left behind: two are the agent's to end
 * (see the runners' timing), then `after_run` has its time, then the worker looks at what is there.
 */
const HOOK_AFTER_STOP: AfterStop = { byMs: 3_000, atLeastMs: 1_000, shutdownWaits: true };
const EVIDENCE_AFTER_STOP: AfterStop = { byMs: 4_250, atLeastMs: 250, shutdownWaits: false };

/** One run: workspace, prompt, agent turns, evidence. Every way it can end becomes a RunResult. */
export function createRunExecutor(ports: RunPorts): ExecuteRun {
  return async (spec, channel) => {
    const logger = ports.logger.with({
      issue_id: spec.issue.id,
      issue_identifier: spec.issue.identifier,
      run_id: spec.runId,
    });
    const deadline = createRunDeadline(ports.clock, spec, channel.stop);
    const workspaces = ports.workspaces(spec.settings);
    const progress: RunProgress = { turns: 0, refusedPush: null };
    let workspace: Workspace | null = null;
    let relay: OpenRelay | null = null;
    let end: RunEnd;
    const patience = createPatience(ports.clock, channel.stop);
    const inspect = async (signal: AbortSignal): Promise<RunEvidence> =>
      workspace === null ? NO_EVIDENCE : collectEvidence(workspaces, workspace, signal, logger);
    try {
      workspace = await prepareWorkspace(workspaces, spec, channel, deadline.signal);
      relay = workspaces.openRelay(workspace, (request) => pushNoted(channel, progress, request));
      if (workspace.createdNow)
        workspace = await populate(ports, spec, channel, { workspaces, workspace, signal: deadline.signal });
      end = await runInWorkspace(ports, spec, channel, {
        workspace,
        signal: deadline.signal,
        logger,
        progress,
        inspect: () => inspect(deadline.signal),
      });
    } catch (error) {
      end = endOfError(error, channel, deadline.timedOut());
    }
    channel.emit({ type: 'phase', phase: 'Finishing', detail: null });
    deadline.clear();
    if (workspace !== null)
      await finishWorkspace(ports, spec, channel, workspace, { logger, patience: patience(HOOK_AFTER_STOP) });
    await relay?.close();
    const looking = patience(EVIDENCE_AFTER_STOP);
    const evidence = await inspect(looking.signal);
    looking.clear();
    return { end, turns: progress.turns, evidence };
  };
}

async function pushNoted(
  channel: RunChannel,
  progress: RunProgress,
  request: PushRequest,
): Promise<PushResult> {
  const result = await channel.push(request);
  progress.refusedPush = result.ok ? null : pushFailed(result);
  if (progress.refusedPush !== null) channel.emit(progress.refusedPush);
  return result;
}

async function prepareWorkspace(
  workspaces: Workspaces,
  spec: RunSpec,
  channel: RunChannel,
  signal: AbortSignal,
): Promise<Workspace> {
  const report = (detail: string | null): void =>
    channel.emit({ type: 'phase', phase: 'PreparingWorkspace', detail });
  report(null);
  const workspace = await workspaces.prepare(
    { issue: spec.issue, repo: spec.settings.repo, onProgress: report },
    signal,
  );
  const branch = workspace.git?.branch ?? null;
  channel.emit({ type: 'workspace', path: workspace.path, branch, createdNow: workspace.createdNow });
  return workspace;
}

/** `after_create` completes a new workspace; until it has, the next run starts the workspace afresh. */
async function populate(
  ports: RunPorts,
  spec: RunSpec,
  channel: RunChannel,
  {
    workspaces,
    workspace,
    signal,
  }: { readonly workspaces: Workspaces; readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<Workspace> {
  await ports.runHook('afterCreate', spec, workspace, signal, channel.emit);
  await workspaces.confirmCreated(workspace);
  return workspace.git === null ? workspaces.reread(workspace) : workspace;
}

export interface RunContext {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** What the workspace holds now. Never rejects. */
  inspect(): Promise<RunEvidence>;
  readonly progress: RunProgress;
}

/** Kept outside, so that a failure does not forget it. */
export interface RunProgress {
  /** Completed. */
  turns: number;
  /** How the last push of the agent was refused; null when it went through, or there was none. */
  refusedPush: PushFailed | null;
}

async function runInWorkspace(
  ports: RunPorts,
  spec: RunSpec,
  channel: RunChannel,
  context: RunContext,
): Promise<RunEnd> {
  const { workspace, signal } = context;
  await ports.runHook('beforeRun', spec, workspace, signal, channel.emit);
  channel.emit({ type: 'phase', phase: 'BuildingPrompt', detail: null });
  const prompt = await ports.renderPrompt(spec, workspace);
  await ports.writeTaskFiles(spec, workspace, prompt);
  await ports.assertWorkspace(spec, workspace);
  signal.throwIfAborted();
  return runTurns(ports, spec, channel, context, prompt);
}

/** The first cause wins: a stop order explains whatever it broke; then the run's own deadline; then the error itself. */
function endOfError(error: unknown, channel: RunChannel, timedOut: string | null): RunEnd {
  if (channel.stop.aborted) return { kind: 'stopped', reason: stopReasonOf(channel.stop) };
  if (timedOut !== null) return { kind: 'timed_out', message: timedOut };
  const code = error instanceof AppError ? error.code : 'internal_error';
  const hint = error instanceof AppError && error.hint !== null ? ` (${error.hint})` : '';
  return { kind: 'failed', code, message: `${messageOf(error)}${hint}` };
}

/** `after_run` follows every attempt once the workspace exists, also a canceled one; its failure changes nothing. */
async function finishWorkspace(
  ports: RunPorts,
  spec: RunSpec,
  channel: RunChannel,
  workspace: Workspace,
  { logger, patience }: { readonly logger: Logger; readonly patience: Patience },
): Promise<void> {
  try {
    await ports.runHook('afterRun', spec, workspace, patience.signal, channel.emit);
  } catch (error) {
    logger.warn('after_run hook failed', { error: messageOf(error) });
  } finally {
    patience.clear();
  }
}

async function collectEvidence(
  workspaces: Workspaces,
  workspace: Workspace,
  signal: AbortSignal,
  logger: Logger,
): Promise<RunEvidence> {
  try {
    return await workspaces.evidence(workspace, signal);
  } catch (error) {
    logger.warn('evidence could not be collected', { error: messageOf(error) });
    return NO_EVIDENCE;
  }
}
