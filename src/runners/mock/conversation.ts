import { growUsage, ZERO_USAGE } from '../../domain/usage.ts';
import { activity } from '../session/activity.ts';
import type { AgentProcess } from '../session/agent-process.ts';
import type { Conversation } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { type AgentMessage, decodeAgentMessage, type ReportedEvent, type RunnerMessage } from './messages.ts';

/** Turns what the agent prints into events, in the order it printed them, and into the ends of turns. */
export class MockConversation implements Conversation {
  readonly steer = null;
  /** Resolves when the agent has opened its session. */
  readonly opened: Promise<void>;
  readonly #session: Session;
  /** Why no turn can be run, when the script is invalid. */
  readonly #scriptError: string | null;
  #process: AgentProcess | null = null;
  #usage = ZERO_USAGE;
  #resolveOpened = (): void => {};

  constructor(session: Session, scriptError: string | null) {
    this.#session = session;
    this.#scriptError = scriptError;
    this.opened = new Promise((resolve) => {
      this.#resolveOpened = resolve;
    });
  }

  get ended(): Promise<unknown> | null {
    return this.#process?.gone ?? null;
  }

  speakTo(process: AgentProcess): void {
    this.#process = process;
  }

  async send(message: RunnerMessage): Promise<void> {
    await this.#process?.child.writeLine(JSON.stringify(message));
  }

  startTurn(prompt: string, turn: number): void {
    if (this.#scriptError !== null) {
      this.#session.endTurn({ kind: 'failed', code: 'turn_failed', message: this.#scriptError });
      return;
    }
    // An agent that does not read its input is of no more use; its exit ends the turn.
    this.send({ type: 'turn', turn, prompt }).catch(() => void this.#session.terminate());
  }

  interrupt(): void {
    this.send({ type: 'interrupt' }).catch(() => {});
  }

  acceptLine(line: string): void {
    const message = decodeAgentMessage(line);
    if (message === null || !this.#accept(message)) this.#session.malformed(Buffer.byteLength(line));
  }

  /** False for a message that makes no sense at this moment. */
  #accept(message: AgentMessage): boolean {
    const opens = message.type === 'event' && message.event.type === 'session_started';
    if (opens === this.#session.isOpen) return false;
    if (message.type === 'event') this.#acceptEvent(message.event);
    else if (message.type === 'tool_call') this.#callTool(message);
    else if (this.#session.turnId !== `turn-${message.turn}`) return false;
    else this.#session.endTurn(message.result);
    return true;
  }

  #acceptEvent(event: ReportedEvent): void {
    switch (event.type) {
      case 'session_started':
        this.#session.announce(event);
        this.#resolveOpened();
        break;
      case 'activity':
        this.#session.reports.emit(activity(event.kind, event.text, event.call));
        break;
      case 'usage':
        this.#usage = growUsage(this.#usage, event.usage);
        this.#session.emit({ ...event, usage: this.#usage });
        break;
      case 'rate_limits':
        this.#session.emit(event);
        break;
    }
  }

  #callTool({ id, name, arguments: args }: Extract<AgentMessage, { type: 'tool_call' }>): void {
    void this.#session
      .answerTool({ name, arguments: args })
      .then(({ result }) => this.send({ type: 'tool_result', id, result }))
      // An agent that is gone does not miss its answer.
      .catch(() => {});
  }
}
