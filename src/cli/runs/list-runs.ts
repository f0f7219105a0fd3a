import { normaliseState } from '../../domain/state-name.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord, RunUnderWay } from '../../scheduler/core/state.ts';
import type { OpenedJournal } from '../../store/sqlite/journal-reader.ts';

/** What to list; a filter that is left out lets everything through. */
export interface RunFilters {
  readonly issue?: string;
  /** `live`, or how a run ended. */
  readonly outcome?: readonly string[];
  /** Ended, or begun while it is live, at or after this moment. */
  readonly since?: number;
  /** The kind of the agent, its profile or its model, in any case. */
  readonly agent?: string;
  readonly limit: number;
}

export const LIVE = 'live';

/** A run that has not ended as far as the journal knows. */
export interface LiveRun extends RunUnderWay {
  readonly issueId: string;
  readonly identifier: string;
}

export interface ListedRuns {
  readonly live: readonly LiveRun[];
  readonly ended: readonly EndedRun[];
  /** More would have fitted the filters. */
  readonly more: boolean;
}

/** Runs are looked through for a filter up to this many. */
const LOOKED_THROUGH = 100_000;

/** Live runs first, then those that ended, each newest first. */
export function listRuns(
  journal: Pick<OpenedJournal, 'loadRecords' | 'recentRuns' | 'runsOfIssue'>,
  filters: RunFilters,
): ListedRuns {
  const { issue, limit } = filters;
  const isLiveWanted = filters.outcome === undefined || filters.outcome.includes(LIVE);
  const live = isLiveWanted ? liveRuns(journal.loadRecords(), filters) : [];
  const everyone =
    filters.outcome === undefined && filters.since === undefined && filters.agent === undefined;
  const looked = everyone ? limit + 1 : LOOKED_THROUGH;
  const runs = issue === undefined ? journal.recentRuns(looked) : journal.runsOfIssue(issue, looked);
  const ended = runs.filter((run) => matches(run, run.endedAt, run.outcome.kind, filters));
  const room = Math.max(0, limit - live.length);
  return {
    live: live.slice(0, limit),
    ended: ended.slice(0, room),
    more: live.length > limit || ended.length > room,
  };
}

function liveRuns(records: readonly IssueRecord[], filters: RunFilters): LiveRun[] {
  const wanted = filters.issue === undefined ? null : normaliseState(filters.issue);
  return records
    .filter(
      ({ issueId, identifier }) =>
        wanted === null || normaliseState(identifier) === wanted || issueId === filters.issue,
    )
    .flatMap(({ issueId, identifier, underWay }) =>
      underWay === null || underWay === undefined ? [] : [{ ...underWay, issueId, identifier }],
    )
    .filter((run) => matches(run, run.startedAt, LIVE, filters))
    .sort((a, b) => b.startedAt - a.startedAt);
}

function matches(
  { runner, profile, model }: Pick<EndedRun, 'runner' | 'profile' | 'model'>,
  at: number,
  outcome: string,
  filters: RunFilters,
): boolean {
  const { since, agent, outcome: outcomes } = filters;
  if (since !== undefined && at < since) return false;
  if (outcomes !== undefined && !outcomes.includes(outcome)) return false;
  if (agent === undefined) return true;
  const wanted = agent.toLowerCase();
  return [runner, profile, model].some((name) => name?.toLowerCase() === wanted);
}
