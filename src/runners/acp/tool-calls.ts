import type { ActivityKind, CallFacts } from '../../domain/agent-event.ts';
import { callText } from '../session/activity.ts';
import type { ToolCall } from './protocol.ts';

export interface Report {
  readonly kind: ActivityKind;
  readonly text: string;
  readonly call?: CallFacts;
}

/** The tool calls of a turn, as far as the agent tells of them. */
export interface ToolCalls {
  /** What is new about a call; null when there is nothing to tell. */
  accept(call: ToolCall): Report | null;
  /** The agent was allowed to make the call it asked for, and makes it now. */
  granted(call: ToolCall): Report | null;
  /** What runs now, in a few words; null when nothing does. */
  running(): string | null;
  /** The turn is over, and every call with it: those that never began are told now. */
  clear(): readonly Report[];
}

interface Known {
  title: string;
  kind: ActivityKind;
  status: string;
  told: boolean;
  input: string | undefined;
}

const MAX_CALLS = 500;
const MAX_TITLE = 500;

export function createToolCalls(): ToolCalls {
  const calls = new Map<string, Known>();

  const find = (id: string): Known => {
    const known = calls.get(id) ?? {
      title: '',
      kind: 'tool',
      status: 'pending',
      told: false,
      input: undefined,
    };
    const [oldest] = calls.keys();
    if (!calls.has(id) && calls.size >= MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    calls.set(id, known);
    return known;
  };

  const accept = (call: ToolCall): Report | null => {
    const known = find(call.toolCallId);
    const failed = call.status === 'failed' && known.status !== 'failed';
    const answered =
      call.status === 'completed' && known.status !== 'completed' && call.rawOutput !== undefined;
    known.title = (call.title ?? call.name ?? known.title).trim().slice(0, MAX_TITLE);
    if (call.kind !== null && call.kind !== undefined) known.kind = kindOf(call.kind);
    known.status = call.status ?? known.status;
    known.input = callText(call.rawInput) ?? known.input;
    // Until it begins, a call may have no better title than the name of its tool.
    const begins = !known.told && known.status !== 'pending';
    if (known.title === '' || !(begins || failed || answered)) return null;
    known.told = true;
    return {
      kind: known.kind,
      text: failed ? `${known.title} (failed)` : known.title,
      call: factsOf(call, known),
    };
  };

  return {
    accept,
    granted: (call) => accept({ ...call, status: 'in_progress' }),
    running() {
      for (const { title, status } of calls.values()) if (status === 'in_progress') return title;
      return null;
    },
    clear() {
      const untold = [...calls.values()].filter(({ title, told }) => title !== '' && !told);
      calls.clear();
      return untold.map(({ kind, title }) => ({ kind, text: title }));
    },
  };
}

function factsOf({ toolCallId, rawOutput, status }: ToolCall, { input }: Known): CallFacts {
  const ended = status === 'completed' || status === 'failed';
  return {
    callId: toolCallId,
    ...(input === undefined ? {} : { input }),
    ...(ended ? { failed: status === 'failed', output: callText(rawOutput) } : {}),
  };
}

function kindOf(kind: string): ActivityKind {
  if (kind === 'execute') return 'command';
  return kind === 'edit' || kind === 'delete' || kind === 'move' ? 'file_change' : 'tool';
}
