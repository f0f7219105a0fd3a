import type { TimelineEntry } from '../../contract/runs.ts';
import type { AgentEvent, CallFacts, TurnUsage } from '../../domain/agent-event.ts';
import type { RunEvent } from '../../domain/run-event.ts';
import { tokens, utc } from '../wire-values.ts';

/** One event of a run as the API shows it. */
export function timelineRow(seq: number, at: number, event: RunEvent): TimelineEntry {
  return { seq, at: utc(at), ...describe(event) };
}

type Described = Pick<TimelineEntry, 'kind' | 'message' | 'detail'>;

function describe(event: RunEvent): Described {
  switch (event.type) {
    case 'phase': {
      const { phase, detail } = event;
      return { kind: 'phase', message: detail === null ? phase : `${phase}: ${detail}`, detail: { phase } };
    }
    case 'workspace': {
      const { path, branch, createdNow } = event;
      const message = `workspace ${createdNow ? 'created' : 'reused'}${branch === null ? '' : ` on ${branch}`}`;
      return { kind: 'workspace', message, detail: { path, branch, created_now: createdNow } };
    }
    case 'push_failed': {
      const { code, message, remoteLines } = event;
      const said = remoteLines.map((line) => `\nremote: ${line}`).join('');
      const detail = { code, remote_lines: remoteLines };
      return { kind: 'push_failed', message: `push failed (${code}): ${message}${said}`, detail };
    }
    case 'prompt':
      return { kind: 'prompt', message: event.text, detail: { turn: event.turn } };
    case 'hook': {
      const { hook, command, exitCode, durationMs, output, problem } = event;
      const detail = {
        hook,
        command,
        exit_code: exitCode,
        duration_ms: durationMs,
        output,
        failed: problem !== null,
      };
      return {
        kind: 'hook',
        message: `${hook} ${problem === null ? 'succeeded' : `failed: ${problem}`}`,
        detail,
      };
    }
    case 'agent': {
      const [message, detail] = describeAgent(event.event);
      return { kind: event.event.type, message, detail };
    }
  }
}

function describeAgent(event: AgentEvent): [message: string, detail: Record<string, unknown>] {
  switch (event.type) {
    case 'session_started': {
      const { sessionId, pid, model, resumed } = event;
      const facts = { session_id: sessionId, pid, model, resumed };
      return [`session ${sessionId} ${resumed ? 'resumed' : 'started'}`, facts];
    }
    case 'startup_failed':
      return [`start failed in ${event.stage}: ${event.message}`, { stage: event.stage }];
    case 'turn_started':
      return [`turn ${event.turn} started`, { turn: event.turn, turn_id: event.turnId }];
    case 'turn_completed':
      return [`turn ${event.turn} completed`, ofTurn(event)];
    case 'turn_failed':
      return [`turn ${event.turn} failed: ${event.message}`, ofTurn(event)];
    case 'turn_cancelled':
      return [`turn ${event.turn} cancelled`, ofTurn(event)];
    case 'turn_input_required':
      return [event.question, { ...ofTurn(event), method: event.method }];
    case 'activity':
      return [event.text, { activity: event.kind, ...ofCall(event.call) }];
    case 'usage': {
      const cost = event.costUsd === null ? {} : { cost_usd: event.costUsd };
      return [`${event.usage.totalTokens} tokens so far`, { ...tokens(event.usage), ...cost }];
    }
    case 'rate_limits':
      return ['rate limits reported', { rate_limits: event.rateLimits }];
    case 'model_changed':
      return [`model is now ${event.model}`, { model: event.model }];
    case 'approval_auto_approved':
      return [`approved by policy: ${event.method}`, { method: event.method }];
    case 'unsupported_tool_call':
      return [`tool ${event.tool} is not offered`, { tool: event.tool }];
    case 'tool_call': {
      const { tool, success, message } = event;
      const { input, output } = event;
      const facts = { tool, success, ...defined({ input, output }) };
      return [`${tool} ${success ? 'succeeded' : 'failed'}: ${message}`, facts];
    }
    case 'notification':
      return [event.name, {}];
    case 'malformed':
      return [`${event.bytes} bytes that made no sense`, { bytes: event.bytes }];
  }
}

function ofTurn({ turn, usage, costUsd }: TurnUsage & { readonly turn: number }): Record<string, unknown> {
  return {
    turn,
    ...(usage === undefined ? {} : { usage: tokens(usage) }),
    ...defined({ cost_usd: costUsd }),
  };
}

function ofCall({
  callId,
  input,
  output,
  exitCode,
  durationMs,
  failed,
}: CallFacts = {}): Record<string, unknown> {
  return defined({
    call_id: callId,
    input,
    output,
    exit_code: exitCode,
    duration_ms: durationMs,
    failed,
  });
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
