import type { LastPoll } from '../../scheduler/core/state.ts';
import { formatHistory } from '../history/format-run.ts';
import { runToJson } from '../history/run-json.ts';
import { oneLine } from '../history/text.ts';
import { formatLater, laterToJson } from './left-for-later.ts';
import type { Round } from './once.ts';

export interface RoundEnd {
  readonly round: Round;
  /** The signal that ended it early. */
  readonly interruptedBy: NodeJS.Signals | null;
  readonly exitCode: number;
}

export function formatRound({ round, interruptedBy }: RoundEnd, now: number): string {
  const { poll, runs } = round;
  const begun = interruptedBy === null ? '' : `Interrupted by ${interruptedBy}.\n`;
  const ended = runs.length === 0 ? 'No run was started.\n' : formatHistory(runs);
  return `${begun}${poll === null ? '' : formatPoll(poll)}${ended}${formatLater(round, now)}`;
}

export function formatPoll({ ok, error, candidates }: LastPoll): string {
  if (!ok) return `The tracker could not be polled: ${oneLine(error ?? 'unknown reason')}\n`;
  return `${candidates} issue${candidates === 1 ? ' is' : 's are'} in an active state.\n`;
}

export function roundToJson({ round, interruptedBy, exitCode }: RoundEnd): string {
  const value = {
    poll: round.poll === null ? null : pollToJson(round.poll),
    runs: round.runs.map(runToJson),
    ...laterToJson(round),
    interrupted_by: interruptedBy,
    exit_code: exitCode,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function pollToJson({ at, durationMs, ok, error, candidates }: LastPoll): Record<string, unknown> {
  return { at: new Date(at).toISOString(), duration_ms: durationMs, ok, error, candidates };
}
