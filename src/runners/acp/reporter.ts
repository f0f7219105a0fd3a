import type { ActivityKind, AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { createActivityGate } from '../activity-gate.ts';
import { createUnreadLines } from '../unread-lines.ts';
import { type Prompted, type ToolCall, toolCallSchema, type Update, updateSchema } from './protocol.ts';
import type { Timing } from './timing.ts';
import { createToolCalls, type Report } from './tool-calls.ts';
import { createUsageMeter } from './usage.ts';

/** Puts what the agent reports into the vocabulary of every runner. Holds no more than one message, whatever the agent sends. */
export interface Reporter {
  acceptUpdate(params: unknown): void;
  /** The agent makes a tool call that it asked for. */
  granted(call: ToolCall): void;
  /** The answer that ends a turn. */
  prompted(answer: Prompted): void;
  refused(method: string): void;
  malformed(bytes: number): void;
  /** Reports now and then that a tool runs, for agents that are silent meanwhile. Ends with the answer. */
  watchTools(): () => void;
  /** Called at the end of a turn: nothing is held back beyond it. */
  flush(): void;
}

export interface ReporterOptions {
  readonly clock: Clock;
  readonly timing: Pick<Timing, 'pulseMs' | 'toolPulseMs'>;
  readonly sessionId: string;
  readonly resumed: boolean;
  emit(event: AgentEvent): void;
}

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
const MAX_TEXT = 2000;
const MAX_REFUSED = 50;
const SHORTENED: Report = {
  kind: 'reasoning',
  text: 'the conversation was shortened to fit the context window',
};

export function createReporter({ clock, timing, sessionId, resumed, emit: tell }: ReporterOptions): Reporter {
  const calls = createToolCalls();
  const meter = createUsageMeter(resumed);
  const refusedMethods = new Set<string>();
  let writing: { readonly kind: ActivityKind; readonly id: unknown; text: string } | null = null;
  let reportedAt = clock.elapsed();

  const emit = (event: AgentEvent | null): void => {
    if (event === null) return;
    reportedAt = clock.elapsed();
    tell(event);
  };
  const gate = createActivityGate(clock, emit);
  const unread = createUnreadLines(clock, emit);

  const report = (found: Report | null): void => {
    const text = found?.text.trim().slice(0, MAX_TEXT) ?? '';
    if (found !== null && text !== '') gate.accept({ type: 'activity', kind: found.kind, text });
  };

  const endMessage = (): void => {
    const written = writing;
    writing = null;
    report(written);
  };

  const write = (kind: ActivityKind, update: Update): void => {
    const id = update['messageId'];
    if (writing?.kind !== kind || writing.id !== id) endMessage();
    writing ??= { kind, id, text: '' };
    if (writing.text.length < MAX_TEXT) writing.text += chunkText(update['content']).slice(0, MAX_TEXT);
  };

  const pulse = (name: string): void => {
    const silence = clock.elapsed() - reportedAt;
    // A clock that was set back must not silence the pulse.
    if (silence >= timing.pulseMs || silence < 0) emit({ type: 'notification', name });
  };

  const accept = (update: Update): void => {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        write('message', update);
        break;
      case 'agent_thought_chunk':
        write('reasoning', update);
        break;
      case 'tool_call':
      case 'tool_call_update':
        endMessage();
        report(calls.accept(toolCallSchema.parse(update)));
        break;
      case 'plan':
        endMessage();
        report({ kind: 'plan', text: planText(update['entries']) });
        break;
      case 'usage_update':
        emit(meter.acceptCost(update['cost']));
        break;
      case 'notice':
        report({ kind: 'message', text: noticeText(update) });
        break;
      case 'compaction_update':
        if (update['status'] === 'completed') report(SHORTENED);
        break;
      default:
    }
  };

  return {
    acceptUpdate(params) {
      const parsed = updateSchema.safeParse(params).data;
      if (parsed === undefined) {
        unread.accept(JSON.stringify(params ?? null).length);
        return;
      }
      if ((parsed.sessionId ?? sessionId) === sessionId) accept(parsed.update);
      pulse('working');
    },
    granted(call) {
      endMessage();
      report(calls.granted(call));
    },
    prompted: (answer) => emit(meter.acceptTurn(answer)),
    refused(method) {
      if (refusedMethods.has(method) || refusedMethods.size >= MAX_REFUSED) return;
      refusedMethods.add(method);
      emit({ type: 'notification', name: `refused request: ${method}` });
    },
    malformed: unread.accept,
    watchTools() {
      const { toolPulseMs } = timing;
      if (toolPulseMs === null) return () => {};
      let cancel = (): void => {};
      const wait = (): void => {
        cancel = clock.setTimer(toolPulseMs, () => {
          const running = calls.running();
          if (running !== null) pulse(`still running: ${running}`);
          wait();
        });
      };
      wait();
      return () => cancel();
    },
    flush() {
      endMessage();
      for (const untold of calls.clear()) report(untold);
      gate.flush();
      unread.flush();
    },
  };
}

function chunkText(content: unknown): string {
  return typeof content === 'object' && content !== null && 'text' in content ? text(content.text) : '';
}

function planText(entries: unknown): string {
  if (!Array.isArray(entries)) return '';
  return entries.map((entry: unknown) => entryText(entry)).join('\n');
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null || !('content' in entry)) return '';
  const status = 'status' in entry ? entry.status : null;
  const mark = status === 'completed' ? '[x]' : status === 'in_progress' ? '[>]' : '[ ]';
  return `${mark} ${text(entry.content)}`;
}

function noticeText(update: Update): string {
  const parts = [text(update['title']), text(update['description'])].filter((part) => part !== '');
  return `${text(update['severity']) || 'notice'}: ${parts.join(': ')}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
