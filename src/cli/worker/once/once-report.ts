import type { LastPoll } from '../../../scheduler/core/state.ts';
import { formatHistory } from '../../history/format-run.ts';
import { runToJson } from '../../history/run-json.ts';
import { oneLine } from '../../history/text.ts';
import type { Look } from '../../terminal/look.ts';
import type { OnceReport } from './once.ts';
import { formatPending, pendingToJson } from './pending-issues.ts';

export interface OnceEnd {
  readonly report: OnceReport;
  /** The signal that ended it early. */
  readonly interruptedBy: NodeJS.Signals | null;
  readonly exitCode: number;
}

export function formatOnce({ report, interruptedBy }: OnceEnd, now: number, look: Look): string {
  const { poll, runs } = report;
  const begun = interruptedBy === null ? '' : `Interrupted by ${interruptedBy}.\n`;
  const ended = runs.length === 0 ? 'No run was started.\n' : formatHistory(runs, look);
  return `${begun}${poll === null ? '' : formatPoll(poll)}${ended}${formatPending(report, now, look)}`;
}

export function formatPoll({ ok, error, candidates }: LastPoll): string {
  if (!ok) return `The tracker could not be polled: ${oneLine(error ?? 'unknown reason')}\n`;
  return `${candidates} issue${candidates === 1 ? ' is' : 's are'} in an active state.\n`;
}

export function onceToJson({ report, interruptedBy, exitCode }: OnceEnd): string {
  const value = {
    poll: report.poll === null ? null : pollToJson(report.poll),
    runs: report.runs.map(runToJson),
    ...pendingToJson(report),
    interrupted_by: interruptedBy,
    exit_code: exitCode,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function pollToJson({ at, durationMs, ok, error, candidates }: LastPoll): Record<string, unknown> {
  return { at: new Date(at).toISOString(), duration_ms: durationMs, ok, error, candidates };
}
