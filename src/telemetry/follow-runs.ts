import type { Clock } from '../domain/clock.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { ExecuteRun } from '../run/protocol.ts';
import type { RunSpans } from './run-spans.ts';

/** Tells the spans of everything that the worker's runs report; the returned function ends it. */
export function followRuns(orchestrator: Orchestrator, spans: RunSpans): () => void {
  const { history } = orchestrator;
  let runs = history.runCount;
  const forgetEvents = orchestrator.observeRuns((runId, _seq, at, event) => {
    const run = orchestrator.state.live.get(runId);
    if (run === undefined) return;
    if (!spans.has(runId)) spans.begin(run);
    spans.event(runId, at, event);
  });
  const forgetEnds = orchestrator.observe(() => {
    if (history.runCount === runs) return;
    const ended = history.runs.slice(0, history.runCount - runs).toReversed();
    runs = history.runCount;
    for (const run of ended) spans.end(run);
  });
  return () => {
    forgetEvents();
    forgetEnds();
  };
}

/** The same runs; how long each tool call took and how it ended is told. Neither its arguments nor its result are. */
export function timedTools(execute: ExecuteRun, spans: RunSpans, clock: Clock): ExecuteRun {
  return (spec, channel) =>
    execute(spec, {
      stop: channel.stop,
      mayContinue: (turn, evidence) => channel.mayContinue(turn, evidence),
      push: (request) => channel.push(request),
      onMessage: (listener) => channel.onMessage(listener),
      emit: (event) => channel.emit(event),
      async callTool(call) {
        const startedAt = clock.now();
        const result = await channel.callTool(call);
        const errorCode = result.success ? null : result.error.code;
        spans.tool(spec.runId, { name: call.name, errorCode, startedAt, endedAt: clock.now() });
        return result;
      },
    });
}
