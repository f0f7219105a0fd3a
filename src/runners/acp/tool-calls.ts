import type { ActivityKind } from '../../domain/agent-event.ts';
import type { ToolCall } from './protocol.ts';

export interface Report {
  readonly kind: ActivityKind;
  readonly text: string;
}

/** The tool calls of a turn, as far as the agent tells of them. */
export interface ToolCalls {
  /** What is new about a call; null when there is nothing to tell. */
  accept(call: ToolCall): Report | null;
  /** The agent was allowed to make the call it asked for, and makes it now. */
  granted(call: ToolCall): Report | null;
  /** What runs now, in a few words; null when nothing does. */
  running(): string | null;
  /** The turn is over, and every call with it. */
  clear(): void;
}

interface Known {
  readonly title: string;
  readonly kind: ActivityKind;
  status: string;
}

const MAX_CALLS = 500;
const MAX_TITLE = 500;

export function createToolCalls(): ToolCalls {
  const calls = new Map<string, Known>();

  const add = (call: ToolCall): Report | null => {
    const title = (call.title ?? call.name ?? '').trim().slice(0, MAX_TITLE);
    if (title === '') return null;
    const kind = kindOf(call.kind);
    const [oldest] = calls.keys();
    if (calls.size >= MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    calls.set(call.toolCallId, { title, kind, status: call.status ?? 'pending' });
    return { kind, text: call.status === 'failed' ? `${title} (failed)` : title };
  };

  const accept = (call: ToolCall): Report | null => {
    const known = calls.get(call.toolCallId);
    if (known === undefined) return add(call);
    const failed = call.status === 'failed' && known.status !== 'failed';
    known.status = call.status ?? known.status;
    return failed ? { kind: known.kind, text: `${known.title} (failed)` } : null;
  };

  return {
    accept,
    granted: (call) => accept({ ...call, status: 'in_progress' }),
    running() {
      for (const { title, status } of calls.values()) if (status === 'in_progress') return title;
      return null;
    },
    clear: () => calls.clear(),
  };
}

function kindOf(kind: string | null | undefined): ActivityKind {
  if (kind === 'execute') return 'command';
  return kind === 'edit' || kind === 'delete' || kind === 'move' ? 'file_change' : 'tool';
}
