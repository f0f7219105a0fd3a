import { formatWhole } from '../../contract/format.ts';
import type { AgentEvent, TurnUsage } from '../../domain/agent-event.ts';
import type { RunEvent } from '../../domain/run-event.ts';
import type { TimelineEntry } from '../../store/journal.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import { type Look, PLAIN } from '../terminal/look.ts';
import { formatClock, timeHeading } from '../terminal/times.ts';
import { formatCost, formatDuration, oneLine } from './text.ts';

/** One line per event, and what a remote said below it: when, how long after the first, what kind, what. A gap in the numbers is shown as one. */
export function formatTimeline(entries: readonly TimelineEntry[], look: Look = PLAIN): string {
  const [first] = entries;
  if (first === undefined) return 'No timeline was kept of this run.\n';
  const rows: Cell[][] = [];
  let last = 0;
  for (const { seq, at, event } of entries) {
    if (seq > last + 1) rows.push(['', '', 'gap', `${formatWhole(seq - last - 1)} events were not kept`]);
    last = seq;
    rows.push([
      { text: formatClock(at, look), tone: 'quiet' },
      `+${formatDuration(at - first.at)}`,
      ...describe(event),
    ]);
    if (event.type === 'push_failed')
      rows.push(...event.remoteLines.map((line) => ['', '', '', `remote: ${oneLine(line)}`]));
  }
  return formatListing([timeHeading('TIME', look), 'AFTER', 'WHAT', 'DETAIL'], rows, look);
}

function describe(event: RunEvent): [string, string] {
  switch (event.type) {
    case 'phase':
      return ['phase', event.phase + (event.detail === null ? '' : `: ${oneLine(event.detail)}`)];
    case 'workspace': {
      const branch = event.branch === null ? '' : ` on ${oneLine(event.branch)}`;
      return ['workspace', `${oneLine(event.path)}${branch}, ${event.createdNow ? 'new' : 'as it was left'}`];
    }
    case 'push_failed':
      return ['push', `failed (${oneLine(event.code)}): ${oneLine(event.message, 600)}`];
    case 'prompt':
      return ['prompt', `${formatWhole(event.text.length)} characters for turn ${event.turn}`];
    case 'hook': {
      const how = event.problem === null ? 'succeeded' : `failed: ${oneLine(event.problem)}`;
      return ['hook', `${event.hook} ${how}, ${formatDuration(event.durationMs)}`];
    }
    case 'agent':
      return describeAgentEvent(event.event);
  }
}

function describeAgentEvent(event: AgentEvent): [string, string] {
  switch (event.type) {
    case 'session_started': {
      const model = event.model === null ? '' : `, model ${oneLine(event.model)}`;
      return ['session', `${event.resumed ? 'resumed' : 'started'} ${oneLine(event.sessionId)}${model}`];
    }
    case 'startup_failed':
      return ['error', `start failed in ${oneLine(event.stage)}: ${oneLine(event.message)}`];
    case 'turn_started':
      return ['turn', `${event.turn} started`];
    case 'turn_completed':
      return ['turn', `${event.turn} completed${turnTokens(event)}`];
    case 'turn_failed':
      return ['turn', `${event.turn} failed: ${oneLine(event.message)}${turnTokens(event)}`];
    case 'turn_cancelled':
      return ['turn', `${event.turn} cancelled${turnTokens(event)}`];
    case 'turn_input_required':
      return ['question', `${oneLine(event.question)} (${oneLine(event.method)})`];
    case 'activity':
      return [event.kind.replaceAll('_', ' '), oneLine(event.text)];
    case 'usage':
      return ['tokens', describeUsage(event)];
    case 'rate_limits':
      return ['limits', oneLine(JSON.stringify(event.rateLimits), 120)];
    case 'model_changed':
      return ['model', oneLine(event.model)];
    case 'approval_auto_approved':
      return ['approval', `given by policy: ${oneLine(event.method)}`];
    case 'unsupported_tool_call':
      return ['tool call', `${oneLine(event.tool)} is not offered`];
    case 'tool_call':
      return [
        'tool call',
        `${oneLine(event.tool)} ${event.success ? 'ok' : 'failed'}: ${oneLine(event.message)}`,
      ];
    case 'notification':
      return ['note', oneLine(event.name)];
    case 'malformed':
      return ['malformed', `${formatWhole(event.bytes)} bytes that made no sense`];
  }
}

function describeUsage({ usage, costUsd }: Extract<AgentEvent, { type: 'usage' }>): string {
  const cost = costUsd === null ? '' : `, ${formatCost(costUsd)}`;
  return `${formatWhole(usage.totalTokens)} so far${cost}`;
}

function turnTokens({ usage }: TurnUsage): string {
  return usage === undefined ? '' : `, ${formatWhole(usage.totalTokens)} tokens`;
}
