import type { ActivityKind, AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Update, updateSchema } from './protocol.ts';

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
const MAX_TEXT = 2000;

/** Puts what the agent reports into the vocabulary of every runner. */
export interface Updates {
  accept(params: unknown): void;
  /** Reports the message that was still being written. */
  flush(): void;
}

export function createUpdates(clock: Clock, pulseMs: number, emit: (event: AgentEvent) => void): Updates {
  let writing: { readonly kind: ActivityKind; text: string } | null = null;
  let reportedAt = clock.now();

  const report = (kind: ActivityKind, said: string): void => {
    const text = said.trim().slice(0, MAX_TEXT);
    if (text === '') return;
    reportedAt = clock.now();
    emit({ type: 'activity', kind, text });
  };

  const flush = (): void => {
    if (writing !== null) report(writing.kind, writing.text);
    writing = null;
  };

  const write = (kind: ActivityKind, chunk: string): void => {
    if (writing?.kind !== kind) flush();
    writing ??= { kind, text: '' };
    if (writing.text.length < MAX_TEXT) writing.text += chunk.slice(0, MAX_TEXT);
  };

  const acceptUpdate = (update: Update): void => {
    const { sessionUpdate } = update;
    if (sessionUpdate === 'agent_message_chunk') write('message', chunkText(update['content']));
    if (sessionUpdate === 'agent_thought_chunk') write('reasoning', chunkText(update['content']));
    if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'plan') return;
    flush();
    if (sessionUpdate === 'plan') report('plan', planText(update['entries']));
    else report(kindOf(update['kind']), text(update['title']));
  };

  return {
    flush,
    accept(params) {
      const update = updateSchema.safeParse(params).data?.update;
      if (update === undefined) return;
      acceptUpdate(update);
      if (clock.now() - reportedAt < pulseMs) return;
      reportedAt = clock.now();
      emit({ type: 'notification', name: 'working' });
    },
  };
}

function kindOf(kind: unknown): ActivityKind {
  if (kind === 'execute') return 'command';
  return kind === 'edit' || kind === 'delete' || kind === 'move' ? 'file_change' : 'tool';
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
  const done = 'status' in entry && entry.status === 'completed';
  return `${done ? '[x]' : '[ ]'} ${text(entry.content)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
