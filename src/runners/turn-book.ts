import type { AgentEvent } from '../domain/agent-event.ts';
import type { TurnResult } from './runner.ts';

/** The turns of a session, one at a time: each is reported as started once and as ended once. */
export interface TurnBook {
  /** Resolves when the turn ends. */
  begin(): Promise<TurnResult>;
  /** The server named the current turn. */
  started(turnId: string | null): void;
  /** Null between turns; the id is null until the server has named the turn. */
  current(): { readonly turnId: string | null } | null;
  /** Ends the current turn, if there is one. */
  end(result: TurnResult): void;
}

export function createTurnBook(emit: (event: AgentEvent) => void): TurnBook {
  let turn = 0;
  let current: { turnId: string | null; reported: boolean; resolve(result: TurnResult): void } | null = null;

  const started = (turnId: string | null): void => {
    if (current === null || current.reported) return;
    current.turnId = turnId;
    current.reported = true;
    emit({ type: 'turn_started', turn, turnId });
  };

  return {
    begin() {
      turn += 1;
      return new Promise((resolve) => {
        current = { turnId: null, reported: false, resolve };
      });
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
