import type { AgentEvent } from '../../domain/agent-event.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ClaudeProcess } from './process.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a connection tells its session, whichever way it speaks to Claude. */
export interface ConnectionHandlers {
  /** Claude asks whether it may use a tool; the answer is what it gets. */
  onPermission(request: unknown): object;
  /** A message to the MCP server of the run; null when it needs no answer. */
  onMcp(message: unknown): Promise<object | null>;
  onMessage(type: string, message: Fields): void;
  /** A frequent message that says no more than that the agent lives. */
  onPulse(): void;
  /** A line that is not of the protocol. */
  onMalformed(bytes: number): void;
  emit(event: AgentEvent): void;
}

/** A running Claude and the conversation with it. */
export interface Connection extends ClaudeProcess {
  /** Resolves when Claude has agreed; rejects with its refusal, with `response_timeout`, or with the process's end. */
  initialize(timeoutMs: number): Promise<void>;
  /** Asks Claude to end its turn and to forget what is still queued. */
  interrupt(timeoutMs: number): Promise<void>;
  say(message: UserMessage): Promise<void>;
  /** Resolves when the process has ended and everything it said before was passed on. */
  readonly ended: Promise<void>;
}

/** What is said to Claude; it reports by the id what becomes of it. */
export interface UserMessage {
  readonly type: 'user';
  readonly message: {
    readonly role: 'user';
    readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  };
  readonly parent_tool_use_id: null;
  readonly session_id: '';
  readonly uuid: string;
}

export function userMessage(uuid: string, text: string): UserMessage {
  const content = [{ type: 'text', text }] as const;
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    uuid,
  };
}

/** Fragments of what comes whole later: such lines need not be parsed at all. */
const FRAGMENT = /^\{"type":"stream_event"/;

export function isFragment(line: string): boolean {
  return FRAGMENT.test(line);
}

export function answerTimedOut(request: string, ms: number): AppError {
  return new AppError('response_timeout', `Claude did not answer ${request} within ${ms} ms.`, {
    hint: 'Run `claude -p hello` by hand as the user of the worker, or look at the load of the machine.',
  });
}
