import type { ActivityKind } from '../../domain/agent-event.ts';
import { activity, asText, MAX_ACTIVITY_TEXT, planStep } from '../session/activity.ts';
import type { Session } from '../session/session.ts';
import { type Prompted, type ToolCall, toolCallSchema, type Update, updateSchema } from './protocol.ts';
import { createToolCalls, type Report } from './tool-calls.ts';
import { createUsageMeter, type UsageMeter } from './usage.ts';

const MAX_REFUSED = 50;
const SHORTENED: Report = {
  kind: 'reasoning',
  text: 'the conversation was shortened to fit the context window',
};

/** Puts what the agent reports into the vocabulary of every runner. Holds no more than one message, whatever the agent sends. */
export class Reporter {
  readonly #session: Session;
  readonly #sessionId: string;
  readonly #calls = createToolCalls();
  readonly #meter: UsageMeter;
  readonly #refused = new Set<string>();
  #writing: { readonly kind: ActivityKind; readonly id: unknown; text: string } | null = null;

  constructor(session: Session, sessionId: string, resumed: boolean) {
    this.#session = session;
    this.#sessionId = sessionId;
    this.#meter = createUsageMeter(resumed);
  }

  acceptUpdate(params: unknown): void {
    const parsed = updateSchema.safeParse(params).data;
    if (parsed === undefined) {
      this.#session.malformed(JSON.stringify(params ?? null).length);
      return;
    }
    if ((parsed.sessionId ?? this.#sessionId) === this.#sessionId) this.#accept(parsed.update);
    this.#session.reports.pulse('working');
  }

  /** The agent makes a tool call that it asked for. */
  granted(call: ToolCall): void {
    this.#endMessage();
    this.#report(this.#calls.granted(call));
  }

  /** The answer that ends a turn. */
  prompted(answer: Prompted): void {
    this.#session.reports.emit(this.#meter.acceptTurn(answer));
  }

  /** A request that this client does not serve. */
  refused(method: string): void {
    if (this.#refused.has(method) || this.#refused.size >= MAX_REFUSED) return;
    this.#refused.add(method);
    this.#session.reports.emit({ type: 'notification', name: `refused request: ${method}` });
  }

  /** Reports now and then that a tool runs, for agents that are silent meanwhile. Ends with the answer. */
  watchTools(): () => void {
    const { clock, timing, reports } = this.#session;
    const { toolPulseMs } = timing;
    if (toolPulseMs === null) return () => {};
    let cancel = (): void => {};
    const wait = (): void => {
      cancel = clock.setTimer(toolPulseMs, () => {
        const running = this.#calls.running();
        if (running !== null) reports.pulse(`still running: ${running}`);
        wait();
      });
    };
    wait();
    return () => cancel();
  }

  /** Reports what has begun and was not ended. */
  flush(): void {
    this.#endMessage();
    for (const untold of this.#calls.clear()) this.#report(untold);
  }

  #accept(update: Update): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#write('message', update);
        break;
      case 'agent_thought_chunk':
        this.#write('reasoning', update);
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#endMessage();
        this.#report(this.#calls.accept(toolCallSchema.parse(update)));
        break;
      case 'plan':
        this.#endMessage();
        this.#report({ kind: 'plan', text: planText(update['entries']) });
        break;
      case 'usage_update':
        this.#session.reports.emit(this.#meter.acceptCost(update['cost']));
        break;
      case 'notice':
        this.#report({ kind: 'message', text: noticeText(update) });
        break;
      case 'compaction_update':
        if (update['status'] === 'completed') this.#report(SHORTENED);
        break;
      default:
    }
  }

  #write(kind: ActivityKind, update: Update): void {
    const id = update['messageId'];
    if (this.#writing?.kind !== kind || this.#writing.id !== id) this.#endMessage();
    this.#writing ??= { kind, id, text: '' };
    if (this.#writing.text.length < MAX_ACTIVITY_TEXT)
      this.#writing.text += chunkText(update['content']).slice(0, MAX_ACTIVITY_TEXT);
  }

  #endMessage(): void {
    const written = this.#writing;
    this.#writing = null;
    this.#report(written);
  }

  #report(found: Report | null): void {
    if (found !== null)
      this.#session.reports.emit(activity(found.kind, found.text, 'call' in found ? found.call : undefined));
  }
}

function chunkText(content: unknown): string {
  return typeof content === 'object' && content !== null && 'text' in content ? asText(content.text) : '';
}

function planText(entries: unknown): string {
  if (!Array.isArray(entries)) return '';
  return entries.map((entry: unknown) => entryText(entry)).join('\n');
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null || !('content' in entry)) return '';
  const status = 'status' in entry ? entry.status : null;
  return planStep(status, asText(entry.content));
}

function noticeText(update: Update): string {
  const parts = [asText(update['title']), asText(update['description'])].filter((part) => part !== '');
  return `${asText(update['severity']) || 'notice'}: ${parts.join(': ')}`;
}
