import type { Attributes, Span } from '@opentelemetry/api';
import type { AgentEvent } from '../domain/agent-event.ts';
import type { RunEvent, RunId } from '../domain/run-event.ts';
import type { OutcomeKind } from '../domain/run-outcome.ts';
import { growUsage, subtractUsage, type TokenUsage, ZERO_USAGE } from '../domain/usage.ts';
import type { EndedRun } from '../scheduler/core/commands.ts';
import type { LiveRun } from '../scheduler/core/state.ts';
import { runEndAttributes, runStartAttributes, usageAttributes } from './attributes.ts';
import type { OpenTracer } from './open-tracer.ts';

const MAX_NAME = 100;
const FAILURES: ReadonlySet<OutcomeKind> = new Set(['failed', 'timed_out', 'stalled']);

/** How each event that ends a turn is told; the second says what is wrong with it. */
const TURN_ENDS: Readonly<Partial<Record<AgentEvent['type'], readonly [string, string | null]>>> = {
  turn_completed: ['completed', null],
  turn_failed: ['failed', 'turn_failed'],
  turn_cancelled: ['cancelled', null],
  turn_input_required: ['input_required', null],
};

interface OpenRun {
  readonly span: Span;
  /** On every span of the run, so that each can be found by its issue. */
  readonly shared: Attributes;
  turn: {
    readonly span: Span;
    readonly usageBefore: TokenUsage;
    readonly activities: Map<string, number>;
  } | null;
  usage: TokenUsage;
}

export interface FinishedTool {
  readonly name: string;
  /** Null when it worked. */
  readonly errorCode: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Turns what runs report into spans: a run, its turns, their tool calls. Names, numbers and codes only: no texts. */
export class RunSpans {
  readonly #otel: Pick<OpenTracer, 'api' | 'tracer'>;
  readonly #redact: (text: string) => string;
  readonly #runs = new Map<RunId, OpenRun>();

  constructor(otel: Pick<OpenTracer, 'api' | 'tracer'>, redact: (text: string) => string) {
    this.#otel = otel;
    this.#redact = redact;
  }

  has(runId: RunId): boolean {
    return this.#runs.has(runId);
  }

  begin(run: LiveRun): void {
    const shared = { 'aiops.run.id': run.runId, 'aiops.issue.identifier': run.issue.identifier };
    const attributes = { ...shared, ...runStartAttributes(run) };
    const span = this.#start('run', run.startedAt, attributes, null);
    this.#runs.set(run.runId, { span, shared: this.#clean(shared), turn: null, usage: ZERO_USAGE });
  }

  event(runId: RunId, at: number, event: RunEvent): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    if (event.type === 'phase') {
      if (event.detail === null) run.span.addEvent('phase', { 'aiops.run.phase': event.phase }, new Date(at));
      return;
    }
    if (event.type === 'agent') this.#agentEvent(run, at, event.event);
  }

  tool(runId: RunId, { name, errorCode, startedAt, endedAt }: FinishedTool): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    const tool = name.slice(0, MAX_NAME);
    const attributes = {
      ...run.shared,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'aiops.tool.success': errorCode === null,
    };
    const span = this.#start(`tool ${tool}`, startedAt, attributes, run.turn?.span ?? run.span);
    if (errorCode !== null) this.#fail(span, errorCode);
    span.end(new Date(endedAt));
  }

  end(ended: EndedRun): void {
    const run = this.#runs.get(ended.runId);
    if (run === undefined) return;
    this.#runs.delete(ended.runId);
    this.#endTurn(run, ended.endedAt, 'unfinished', null);
    run.span.setAttributes(this.#clean(runEndAttributes(ended)));
    const { end } = ended.result;
    if (FAILURES.has(ended.outcome.kind))
      this.#fail(run.span, end.kind === 'failed' ? end.code : ended.outcome.kind);
    run.span.end(new Date(ended.endedAt));
  }

  #agentEvent(run: OpenRun, at: number, event: AgentEvent): void {
    const end = TURN_ENDS[event.type];
    if (end !== undefined) this.#endTurn(run, at, ...end);
    switch (event.type) {
      case 'turn_started': {
        this.#endTurn(run, at, 'unfinished', null);
        const attributes = { ...run.shared, 'aiops.turn.number': event.turn };
        const span = this.#start('turn', at, attributes, run.span);
        run.turn = { span, usageBefore: run.usage, activities: new Map() };
        return;
      }
      case 'usage':
        run.usage = growUsage(run.usage, event.usage);
        return;
      case 'activity': {
        const counts = run.turn?.activities;
        counts?.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
        return;
      }
      case 'unsupported_tool_call': {
        const tool = this.#redact(event.tool.slice(0, MAX_NAME));
        (run.turn?.span ?? run.span).addEvent(
          'unsupported_tool_call',
          { 'gen_ai.tool.name': tool },
          new Date(at),
        );
      }
    }
  }

  #endTurn(run: OpenRun, at: number, result: string, errorType: string | null): void {
    const { turn } = run;
    if (turn === null) return;
    run.turn = null;
    turn.span.setAttributes({
      'aiops.turn.result': result,
      ...usageAttributes(subtractUsage(run.usage, turn.usageBefore)),
    });
    for (const [kind, count] of turn.activities)
      turn.span.setAttribute(`aiops.turn.activities.${kind}`, count);
    if (errorType !== null) this.#fail(turn.span, errorType);
    turn.span.end(new Date(at));
  }

  #start(name: string, at: number, attributes: Attributes, parent: Span | null): Span {
    const { api, tracer } = this.#otel;
    const context = parent === null ? api.ROOT_CONTEXT : api.trace.setSpan(api.ROOT_CONTEXT, parent);
    const options = { startTime: new Date(at), attributes: this.#clean(attributes), root: parent === null };
    return tracer.startSpan(this.#redact(name), options, context);
  }

  #fail(span: Span, type: string): void {
    span.setAttribute('error.type', this.#redact(type.slice(0, MAX_NAME)));
    span.setStatus({ code: this.#otel.api.SpanStatusCode.ERROR });
  }

  #clean(attributes: Attributes): Attributes {
    const entries = Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.#redact(value) : value,
    ]);
    return Object.fromEntries(entries) as Attributes;
  }
}
