import { pushFailed } from '../domain/run-event.ts';
import { NO_EVIDENCE, type RunEnd, type RunEvidence } from '../domain/run-outcome.ts';
import { answerPrompt } from '../prompt/answer.ts';
import { continuationPrompt } from '../prompt/continuation.ts';
import { pushPrompt } from '../prompt/push.ts';
import type { AgentSession, TurnResult } from '../runners/runner.ts';
import { isBranchPush, refusedPush } from '../tools/branch-push.ts';
import { borrowedFolders } from '../workspaces/mirror/reading.ts';
import type { RunContext } from './execute-run.ts';
import { type RunChannel, type RunSpec, stopReasonOf } from './protocol.ts';
import { quotaResetAt } from './quota-reset.ts';
import type { RunPorts } from './run-ports.ts';
import { withTurnUsage } from './turn-usage.ts';

/** Opens the agent's session, runs turns on it until the scheduler says enough, and always ends it. */
export async function runTurns(
  ports: RunPorts,
  spec: RunSpec,
  channel: RunChannel,
  context: RunContext,
  prompt: string,
): Promise<RunEnd> {
  channel.emit({ type: 'phase', phase: 'LaunchingAgentProcess', detail: null });
  const runner = await ports.runner(spec.settings);
  channel.emit({ type: 'phase', phase: 'InitializingSession', detail: runner.kind });
  const { git } = context.workspace;
  let resumed = false;
  let rateLimits: Readonly<Record<string, unknown>> | null = null;
  const report = withTurnUsage((event) => channel.emit({ type: 'agent', event }));
  const session = await runner.start(
    {
      runId: spec.runId,
      issue: spec.issue,
      workspacePath: context.workspace.path,
      borrowedFolders: git?.mirrorPath === undefined ? [] : borrowedFolders(git.mirrorPath),
      environment: ports.agentEnvironment(spec, context.workspace),
      resumeSessionId: spec.resumeSessionId,
      answer: spec.answer,
      tools: spec.tools,
      async callTool(call) {
        const result = await channel.callTool(call);
        const refused = refusedPush(call, result);
        if (refused !== null) {
          context.progress.refusedPush = pushFailed(refused);
          channel.emit(context.progress.refusedPush);
        } else if (isBranchPush(call)) context.progress.refusedPush = null;
        return result;
      },
      onEvent(event) {
        if (event.type === 'rate_limits') rateLimits = { ...rateLimits, ...event.rateLimits };
        if (event.type === 'session_started') resumed = event.resumed;
        report(event);
      },
      logger: context.logger,
    },
    context.signal,
  );
  channel.onMessage((text) => void passOn(session, channel, text));
  try {
    const end = await takeTurns(spec, channel, context, session, firstPrompt(spec, prompt, resumed));
    if (end.kind !== 'quota' || end.resetAt !== null) return end;
    return { ...end, resetAt: quotaResetAt({ message: end.message, rateLimits, now: ports.clock.now() }) };
  } finally {
    await session.stop();
  }
}

/** What an operator says goes to the agent if it can listen; either way the timeline of the run shows it. */
async function passOn(session: AgentSession, channel: RunChannel, text: string): Promise<void> {
  const heard = session.steer === null ? false : await session.steer(text).catch(() => false);
  const note = heard
    ? 'operator message sent to the agent'
    : 'operator message not sent: the agent cannot take it now';
  channel.emit({ type: 'agent', event: { type: 'notification', name: note } });
}

/** A resumed conversation knows the task: it gets the answer or a nudge, a new one gets everything. */
function firstPrompt(spec: RunSpec, prompt: string, resumed: boolean): string {
  const { issue, answer, maxTurns } = spec;
  if (answer !== null) {
    const text = answerPrompt({ issue, answer });
    return resumed ? text : `${prompt}\n\n${text}`;
  }
  return resumed && spec.retryKind === 'continuation'
    ? continuationPrompt({ issue, turn: 1, maxTurns, delimited: spec.settings.prompt.delimit })
    : prompt;
}

async function takeTurns(
  spec: RunSpec,
  channel: RunChannel,
  context: RunContext,
  session: AgentSession,
  prompt: string,
): Promise<RunEnd> {
  const { maxTurns } = spec;
  let text = prompt;
  for (let turn = 1; ; turn += 1) {
    channel.emit({ type: 'phase', phase: 'StreamingTurn', detail: `turn ${turn} of ${maxTurns}` });
    channel.emit({ type: 'prompt', turn, text });
    const result = await session.runTurn(text, context.signal);
    context.signal.throwIfAborted();
    const failure = endOfTurn(result, channel);
    if (failure !== null) return failure;
    context.progress.turns = turn;
    const next = await askForTurn(spec, channel, context, turn);
    if (next === null) return { kind: 'completed' };
    text = next;
  }
}

/** What the next turn is told; null when there is none. A hand-over is looked at before the run may end. */
async function askForTurn(
  spec: RunSpec,
  channel: RunChannel,
  context: RunContext,
  turn: number,
): Promise<string | null> {
  const { maxTurns, tools, settings } = spec;
  const ask = (evidence?: RunEvidence) => untilAborted(channel.mayContinue(turn, evidence), context.signal);
  const first = await ask();
  if (first.kind === 'finish') return null;
  const evidence = first.kind === 'inspect' ? await context.inspect() : NO_EVIDENCE;
  const decision = first.kind === 'inspect' ? await ask(evidence) : first;
  if (decision.kind === 'finish' || decision.kind === 'inspect') return null;
  const issue = { ...spec.issue, state: decision.state };
  if (decision.kind === 'continue')
    return continuationPrompt({ issue, turn: turn + 1, maxTurns, delimited: settings.prompt.delimit });
  const byTool = tools.some(isBranchPush);
  return pushPrompt({ issue, evidence, byTool, refusal: context.progress.refusedPush });
}

/** How a turn that did not complete ends the run; null when it completed. */
function endOfTurn(result: TurnResult, channel: RunChannel): RunEnd | null {
  switch (result.kind) {
    case 'completed':
      return null;
    case 'interrupted':
      return channel.stop.aborted
        ? { kind: 'stopped', reason: stopReasonOf(channel.stop) }
        : { kind: 'failed', code: 'turn_failed', message: 'the agent interrupted its turn' };
    default:
      return result;
  }
}

/** A stop order must not wait for an answer that may never come. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
