import type { TurnResult } from '../runner.ts';
import type { Session } from './session.ts';

/** How one kind of agent is spoken to. Turns, waits, ends and reports are the session's, which is the same for every kind. */
export interface AgentProtocol {
  /** What people call the agent, in the middle of a sentence. */
  readonly name: string;
  /** The key of the workflow that bounds an agent's silence within a turn. */
  readonly silenceKey: string;
  /** What to do about a start that failed at this stage for a reason nobody foresaw. */
  startHint(stage: string): string;
  /**
   * Starts the process by `session.startProcess`, agrees with it, and calls `session.announce` once the conversation is open.
   * Rejects with whatever keeps it from opening; the session ends what was started.
   */
  open(session: Session): Promise<Conversation>;
}

/** An open conversation with an agent. */
export interface Conversation {
  /** Begins a turn, the process being alive; its end is told by `session.endTurn`. */
  startTurn(prompt: string, turn: number): void;
  /** Asks the agent to end its turn, which will count as `result`. One that does not is ended with its processes. */
  interrupt(result: TurnResult): void;
  /** Says something in the middle of a turn; false when it came too late. Null: this agent cannot listen. */
  readonly steer: ((text: string) => Promise<boolean>) | null;
  /** True when the agent names its turns, told by `session.turnStarted`. */
  readonly namesTurns?: boolean;
  /** Resolves when the process has ended and everything it said was taken in. Null: each turn has a process of its own. */
  readonly ended: Promise<unknown> | null;
  /** Reports what is held back; called before the end of a turn is reported. */
  flush?(): void;
  /** Called after each turn, however it ended. */
  afterTurn?(): void;
}
