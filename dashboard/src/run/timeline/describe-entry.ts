import { formatCost, formatCount } from '../../../../src/contract/format.ts';
import type { TimelineEntry } from '../../../../src/contract/runs.ts';
import type { TimelineItem, Topic } from './derive-timeline.ts';

type Look = Pick<TimelineItem, 'topic' | 'label' | 'look'>;

const ACTIVITIES: Readonly<Record<string, Look>> = {
  message: { topic: 'messages', label: 'agent', look: 'prose' },
  reasoning: { topic: 'messages', label: 'thinks', look: 'quiet' },
  plan: { topic: 'messages', label: 'plan', look: 'prose' },
  command: { topic: 'commands', label: 'command', look: 'code' },
  file_change: { topic: 'changes', label: 'files', look: 'code' },
  tool: { topic: 'tools', label: 'tool', look: 'code' },
};

const KINDS: Readonly<Record<string, Look>> = {
  turn_started: { topic: 'worker', label: 'turn', look: 'turn' },
  prompt: { topic: 'worker', label: 'prompt', look: 'quiet' },
  hook: { topic: 'commands', label: 'hook', look: 'code' },
  tool_call: { topic: 'tools', label: 'tool', look: 'code' },
  unsupported_tool_call: { topic: 'tools', label: 'tool', look: 'code' },
  turn_input_required: { topic: 'messages', label: 'question', look: 'prose' },
};

/** One event as a row. What an older or newer worker says differently is shown as plain text. */
export function describeEntry(entry: TimelineEntry): TimelineItem {
  const { seq, at, kind, detail } = entry;
  return {
    key: seq,
    at,
    ...lookOf(entry),
    text: textOf(entry),
    tone: toneOf(entry),
    facts: factsOf(detail),
    input: text(detail['input']) ?? (kind === 'hook' ? text(detail['command']) : null),
    output: text(detail['output']),
  };
}

function lookOf({ kind, detail }: TimelineEntry): Look {
  const activity = kind === 'activity' ? ACTIVITIES[String(detail['activity'])] : undefined;
  return activity ?? KINDS[kind] ?? { topic: topicOf(kind), label: labelOf(kind), look: 'quiet' };
}

function topicOf(kind: string): Topic {
  return kind === 'activity' ? 'messages' : 'worker';
}

function labelOf(kind: string): string {
  return kind.replace(/_.*$/, '');
}

function textOf({ kind, message, detail }: TimelineEntry): string {
  if (kind === 'turn_started') return `Turn ${String(detail['turn'])}`;
  if (kind === 'prompt')
    return `The prompt of turn ${String(detail['turn'])}, ${formatCount(message.length)} characters`;
  if (kind === 'tool_call') return String(detail['tool']);
  return message === '' ? labelOf(kind) : message;
}

function toneOf({ kind, detail }: TimelineEntry): TimelineItem['tone'] {
  if (detail['failed'] === true || detail['success'] === false || /fail|malformed/.test(kind)) return 'bad';
  if (kind === 'turn_input_required' || kind === 'unsupported_tool_call' || kind === 'turn_cancelled')
    return 'attention';
  return detail['success'] === true || detail['exit_code'] === 0 ? 'good' : 'plain';
}

function factsOf(detail: Readonly<Record<string, unknown>>): readonly string[] {
  const facts: string[] = [];
  const { exit_code: exit, duration_ms: duration, usage, cost_usd: cost, success } = detail;
  if (typeof exit === 'number') facts.push(`exit ${exit}`);
  if (success === false) facts.push('failed');
  if (typeof duration === 'number') facts.push(`${(duration / 1000).toFixed(1)} s`);
  const tokens = tokensOf(usage);
  if (tokens !== null) facts.push(`${formatCount(tokens)} tokens`);
  if (typeof cost === 'number') facts.push(formatCost(cost));
  return facts;
}

function tokensOf(usage: unknown): number | null {
  const total =
    typeof usage === 'object' && usage !== null && 'total_tokens' in usage ? usage.total_tokens : null;
  return typeof total === 'number' ? total : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
