import type { AgentEvent } from '../../domain/agent-event.ts';
import type { TurnResult } from '../runner.ts';

/** The turns of a session, one at a time: each is reported as started once and as ended once. */
export interface Turns {
  /** The number of the new turn, and its end. */
  begin(): { readonly turn: number; readonly ended: Promise<TurnResult> };
  /** The agent named the current turn. */
  started(turnId: string | null): void;
  /** Null between turns; the id is null until the agent has named the turn. */
  current(): { readonly turn: number; readonly turnId: string | null } | null;
  /** Ends the current turn, if there is one. */
  end(result: TurnResult): void;
}

export function createTurns(emit: (event: AgentEvent) => void): Turns {
  let turn = 0;
  let current: {
    readonly turn: number;
    turnId: string | null;
    reported: boolean;
    resolve(result: TurnResult): void;
  } | null = null;

  const started = (turnId: string | null): void => {
    if (current === null || current.reported) return;
    current.turnId = turnId;
    current.reported = true;
    emit({ type: 'turn_started', turn, turnId });
  };

  return {
    begin() {
      turn += 1;
      const ended = new Promise<TurnResult>((resolve) => {
        current = { turn, turnId: null, reported: false, resolve };
      });
      return { turn, ended };
    },
    started,
    current: () => current,
    end(result) {
      if (current === null) return;
      started(null);
      const { resolve } = current;
      current = null;
      emit(endEvent(turn, result));
      resolve(result);
    },
  };
}

function endEvent(turn: number, result: TurnResult): AgentEvent {
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
