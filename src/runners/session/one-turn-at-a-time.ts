import type { AgentSession } from '../runner.ts';

type RunTurn = AgentSession['runTurn'];

/** Drives one turn after another: none once the session stops or the caller has given up, and never two at once. */
export function oneTurnAtATime(isStopping: () => boolean, drive: RunTurn): RunTurn {
  let busy = false;
  return async (prompt, signal) => {
    if (busy) throw new Error('a turn is already running');
    if (signal.aborted || isStopping()) return { kind: 'interrupted' };
    busy = true;
    try {
      return await drive(prompt, signal);
    } finally {
      busy = false;
    }
  };
}
