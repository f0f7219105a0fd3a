import type { AgentEvent } from '../../domain/agent-event.ts';
import { growUsage, ZERO_USAGE } from '../../domain/usage.ts';
import type { SessionInput, TurnResult } from '../runner.ts';
import { type AgentMessage, decodeAgentMessage, type ReportedEvent } from './messages.ts';

/** Longer texts are for the agent's own log, not for an event that is stored and shown. */
const MAX_TEXT = 2000;

export interface ExchangeHandlers {
  readonly onEvent: SessionInput['onEvent'];
  pid(): number | null;
  onToolCall(call: Extract<AgentMessage, { type: 'tool_call' }>): void;
}

/** Turns what the agent prints into events, in the order it printed them, and into the ends of turns. */
export interface Exchange {
  acceptLine(line: string): void;
  acceptOversizeLine(bytes: number): void;
  emit(event: AgentEvent): void;
  /** Resolves when the agent has opened its session. */
  readonly opened: Promise<void>;
  /** Reports the turn's start; resolves when it ends. */
  beginTurn(turn: number): Promise<TurnResult>;
  /** Ends the current turn, if there is one, from this side. */
  endTurn(result: TurnResult): void;
  /** Nothing is reported after this. */
  close(): void;
}

export function createExchange(handlers: ExchangeHandlers): Exchange {
  let closed = false;
  let isOpen = false;
  let usage = ZERO_USAGE;
  let current: { readonly turn: number; readonly resolve: (result: TurnResult) => void } | null = null;
  let resolveOpened = (): void => {};
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });

  const emit = (event: AgentEvent): void => {
    if (!closed) handlers.onEvent(event);
  };

  const endTurn = (result: TurnResult): void => {
    if (current === null) return;
    const { turn, resolve } = current;
    current = null;
    emit(turnEndEvent(turn, result));
    resolve(result);
  };

  const acceptEvent = (event: ReportedEvent): void => {
    switch (event.type) {
      case 'session_started':
        isOpen = true;
        emit({ ...event, pid: handlers.pid() });
        resolveOpened();
        break;
      case 'activity':
        emit({ ...event, text: event.text.slice(0, MAX_TEXT) });
        break;
      case 'usage':
        usage = growUsage(usage, event.usage);
        emit({ ...event, usage });
        break;
      case 'rate_limits':
        emit(event);
        break;
    }
  };

  /** False for a message that makes no sense at this moment. */
  const accept = (message: AgentMessage): boolean => {
    const opens = message.type === 'event' && message.event.type === 'session_started';
    if (opens === isOpen) return false;
    if (message.type === 'event') acceptEvent(message.event);
    else if (message.type === 'tool_call') handlers.onToolCall(message);
    else if (message.turn === current?.turn) endTurn(message.result);
    else return false;
    return true;
  };

  return {
    acceptLine(line) {
      if (closed) return;
      const message = decodeAgentMessage(line);
      if (message === null || !accept(message)) emit({ type: 'malformed', bytes: Buffer.byteLength(line) });
    },
    acceptOversizeLine: (bytes) => emit({ type: 'malformed', bytes }),
    emit,
    opened,
    beginTurn(turn) {
      emit({ type: 'turn_started', turn, turnId: `turn-${turn}` });
      return new Promise((resolve) => {
        current = { turn, resolve };
      });
    },
    endTurn,
    close() {
      endTurn({ kind: 'interrupted' });
      closed = true;
    },
  };
}

function turnEndEvent(turn: number, result: TurnResult): AgentEvent {
  switch (result.kind) {
    case 'completed':
      return { type: 'turn_completed', turn };
    case 'interrupted':
      return { type: 'turn_cancelled', turn };
    case 'input_required':
      return { type: 'turn_input_required', turn, method: result.method, question: result.question };
    case 'quota':
    case 'timed_out':
    case 'failed':
      return { type: 'turn_failed', turn, message: result.message };
  }
}
