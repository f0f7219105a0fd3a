import { existsSync } from 'node:fs';
import type { Config } from '../../../config/config.ts';
import { systemClock } from '../../../domain/clock.ts';
import type { RefreshOutcome } from '../../../domain/issue.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import { runSettings } from '../../../orchestrator/runs/run-settings.ts';
import { type FirstPollPlan, planFirstPoll } from '../../../orchestrator/tracker/plan-first-poll.ts';
import { refreshIssues } from '../../../orchestrator/tracker/tracker-calls.ts';
import { workflowSnapshot } from '../../../orchestrator/workflow-snapshot.ts';
import { type LockHolder, readLockHolder } from '../../../process/locks/file-lock.ts';
import type { SchedulerSettings } from '../../../scheduler/core/settings.ts';
import type { IssueRecord } from '../../../scheduler/core/state.ts';
import type { RunElsewhere } from '../../../scheduler/explain/adopt.ts';
import { journalPathOf } from '../../../store/journal-path.ts';
import { workerLockPath } from '../../../store/locks/worker-lock.ts';
import { openRootReader } from '../../../store/sqlite/journal-reader.ts';
import { createTracker } from '../../../trackers/registry.ts';
import type { Tracker } from '../../../trackers/tracker.ts';
import { readWorkspaces } from '../../../workspaces/ownership/list-workspaces.ts';
import { runnerFaults } from '../../compose/runner-faults.ts';

/** Events of a worker that are looked through for its live runs. */
const EVENTS_READ = 2_000;

export interface DryRun {
  readonly firstPoll: FirstPollPlan;
  readonly settings: SchedulerSettings;
  /** The worker that is already there, and what it runs. */
  readonly worker: LockHolder | null;
  readonly running: readonly LiveElsewhere[];
}

interface LiveElsewhere {
  readonly runId: string;
  readonly issueId: string;
  readonly identifier: string;
  readonly startedAt: number;
}

/** What the journal tells about earlier workers, and about one that is at work now. */
interface Memory {
  readonly records: readonly IssueRecord[];
  readonly live: readonly LiveElsewhere[];
}

/**
 * Looks at the tracker, the journal and the workspaces as a worker that starts now would, and lets the scheduler decide.
 * Takes no lock, writes no file and starts no process, so it works beside a worker.
 */
export async function lookAhead(config: Config, logger: Logger): Promise<DryRun> {
  const settings = runSettings(config);
  const { root } = config.workspace;
  const { trackerKind, trackerScope } = settings;
  const [fault] = await runnerFaults(config);
  if (fault !== undefined) throw new AppError('agent_not_found', fault);
  const tracker = await createTracker(config.tracker, { logger, clock: systemClock });
  const workflow = workflowSnapshot(config, tracker);
  const worker = await readLockHolder(workerLockPath({ root, scope: trackerScope }));
  const { records, live } = await readMemory(root, trackerScope, worker, logger);
  const workspaces = await readWorkspaces(root, { trackerKind, trackerScope });
  const { present, gone } = await findIssues(tracker, live);
  const plan = await planFirstPoll({ clock: systemClock, workflow, records, workspaces, running: present });
  const stops = [...plan.stops, ...gone];
  return { firstPoll: { ...plan, stops }, settings: workflow.settings, worker, running: live };
}

/** A journal that cannot be read means what it means to a worker: nothing is remembered. Before the first worker there is none. */
async function readMemory(
  root: string,
  scope: string,
  worker: LockHolder | null,
  logger: Logger,
): Promise<Memory> {
  if (!existsSync(journalPathOf(root))) return { records: [], live: [] };
  const journal = await openRootReader(root, scope).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    logger.warn('nothing is remembered', { error: messageOf(error) });
    return null;
  });
  if (journal === null) return { records: [], live: [] };
  try {
    const since = worker === null ? Number.POSITIVE_INFINITY : Date.parse(worker.since);
    const started = journal
      .recentEvents(EVENTS_READ)
      .filter(({ kind, at, runId }) => kind === 'running' && at >= since && runId !== null);
    const live = started.flatMap(({ runId, issueId, identifier, at }) => {
      if (runId === null || issueId === null) return [];
      const found = journal.findRun(runId);
      if (found.kind !== 'found' || found.run.ended !== null) return [];
      return [{ runId, issueId, identifier: identifier ?? issueId, startedAt: at }];
    });
    return { records: journal.loadRecords(), live };
  } finally {
    await journal.close();
  }
}

/** The issues of another worker's runs: those there are, and those whose run would be stopped because they are gone. */
async function findIssues(
  tracker: Tracker,
  live: Memory['live'],
): Promise<{ readonly present: readonly RunElsewhere[]; readonly gone: FirstPollPlan['stops'] }> {
  const ids = live.map(({ issueId }) => issueId);
  const answer = ids.length === 0 ? null : await refreshIssues(systemClock, tracker, ids);
  const outcomes = answer?.ok === true ? answer.value : new Map<string, RefreshOutcome>();
  const present = live.flatMap(({ runId, issueId, startedAt }) => {
    const outcome = outcomes.get(issueId);
    return outcome?.kind === 'current' ? [{ runId, issue: outcome.issue, startedAt }] : [];
  });
  const gone = live
    .filter(({ issueId }) => outcomes.get(issueId)?.kind === 'absent')
    .map(({ issueId, identifier }) => ({
      issue: { id: issueId, identifier },
      reason: { kind: 'missing' } as const,
    }));
  return { present, gone };
}
