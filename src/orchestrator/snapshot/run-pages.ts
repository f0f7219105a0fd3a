import type { RunDetail, RunList } from '../../contract/runs.ts';
import type { WireOutcome } from '../../contract/wire.ts';
import { AppError } from '../../errors/app-error.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import type { FoundRun, JournalReader } from '../../store/journal.ts';
import type { RecentHistory } from '../history/recent-history.ts';
import { utc } from '../wire-values.ts';
import { endedRow, runningRow } from './rows.ts';
import type { SnapshotInput } from './state-snapshot.ts';

/** How far back a listing goes. */
const MAX_LISTED_RUNS = 5_000;

export interface RunQuery {
  readonly limit: number;
  /** The id of the last run of the page before. */
  readonly before: string | null;
  /** An issue's id or identifier. */
  readonly issue: string | null;
  readonly outcome: WireOutcome | null;
}

type Runs = Pick<JournalReader, 'recentRuns' | 'runsOfIssue' | 'findRun'>;

/** Finished runs, newest first: from memory as far as it reaches, then from the journal. */
export function listRuns(history: RecentHistory, journal: Runs, query: RunQuery): RunList {
  const { limit, before, issue, outcome } = query;
  const fits = (run: EndedRun): boolean => outcome === null || run.outcome.kind === outcome;
  const inMemory = issue === null ? pageOf(history.runs.filter(fits), before, limit) : null;
  if (inMemory !== null && inMemory.length > limit) return toList(inMemory, limit);
  const all =
    issue === null ? journal.recentRuns(MAX_LISTED_RUNS) : journal.runsOfIssue(issue, MAX_LISTED_RUNS);
  const page = pageOf(all.filter(fits), before, limit);
  if (page === null) {
    throw new AppError('invalid_request', 'no run of this list has the id given as "before"', {
      hint: 'Use "next" of an earlier page, with the same filters.',
    });
  }
  return toList(page, limit);
}

/** One row more than the page, to tell whether there is a next one. Null when `before` is not in the list. */
function pageOf(runs: readonly EndedRun[], before: string | null, limit: number): readonly EndedRun[] | null {
  const start = before === null ? 0 : runs.findIndex((run) => run.runId === before) + 1;
  return before !== null && start === 0 ? null : runs.slice(start, start + limit + 1);
}

function toList(page: readonly EndedRun[], limit: number): RunList {
  const shown = page.slice(0, limit);
  return {
    runs: shown.map(endedRow),
    next: page.length > limit ? (shown.at(-1)?.runId ?? null) : null,
  };
}

/** Throws `run_not_found`, also when several runs begin with what was given. */
export function findRun(
  state: SchedulerState,
  history: RecentHistory,
  journal: Runs,
  name: string,
): FoundRun {
  const live = state.live.get(name);
  if (live !== undefined)
    return { runId: name, identifier: live.issue.identifier, ended: null, transcript: null };
  const lookup = journal.findRun(name);
  if (lookup.kind === 'found') return lookup.run;
  const ended = history.runs.find((run) => run.runId === name);
  if (ended !== undefined) return { runId: name, identifier: ended.identifier, ended, transcript: null };
  const matches = [...state.live.values()].filter((run) => name !== '' && run.runId.startsWith(name));
  const [match] = matches;
  if (lookup.kind === 'none' && matches.length === 1 && match !== undefined)
    return findRun(state, history, journal, match.runId);
  const several = lookup.kind === 'ambiguous' || matches.length > 1;
  throw new AppError('run_not_found', several ? 'several runs begin with this id' : 'no run has this id', {
    hint: several ? 'Give more of the id.' : 'Run `aiops history` for the runs that ended.',
  });
}

export function buildRunDetail(input: SnapshotInput, journal: Runs, name: string): RunDetail {
  const { state, workflow, now, history } = input;
  const found = findRun(state, history, journal, name);
  const live = state.live.get(found.runId);
  const { ended, transcript } = found;
  return {
    run_id: found.runId,
    issue_identifier: found.identifier,
    status: live !== undefined ? 'live' : ended !== null ? 'ended' : 'lost',
    running:
      live === undefined
        ? null
        : runningRow(live, input.activity.of(live.runId), now, workflow.config.workflowPath),
    ended: ended === null ? null : endedRow(ended),
    facts: ended === null ? null : factsOf(ended),
    timeline:
      transcript === null
        ? null
        : { reported: transcript.events, dropped: transcript.dropped, bytes: transcript.bytes },
  };
}

function factsOf(run: EndedRun): RunDetail['facts'] {
  const { end, evidence } = run.result;
  return {
    attempt: run.attempt,
    started_at: utc(run.startedAt),
    state_before: run.stateBefore,
    handed_off: run.handedOff,
    end: end.kind === 'stopped' ? `stopped: ${end.reason.kind}` : end.kind,
    session_id: run.sessionId,
    model: run.model,
    workspace_path: run.workspacePath,
    head_commit: evidence.headCommit,
    files_changed: evidence.filesChanged,
    uncommitted_files: evidence.uncommittedFiles,
  };
}
