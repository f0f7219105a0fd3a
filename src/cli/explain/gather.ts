import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { formatProblem, problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { ApiError, createClient } from '../../contract/client.ts';
import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { silentLogger } from '../../observability/logger.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { type SchedulerSettings, schedulerSettings } from '../../scheduler/core/settings.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import { journalPathOf } from '../../store/journal-path.ts';
import { openRootReader } from '../../store/sqlite/journal-reader.ts';
import { createTracker } from '../../trackers/registry.ts';
import { oneLineOfSentences } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import { findRecord, type WorkerRecord } from '../record/worker-record.ts';
import { askOverHttp } from '../remote/ask-over-http.ts';
import { loadWorkflow } from '../workflow-file.ts';
import { findInTracker } from './find-in-tracker.ts';
import { type Forecast, forecast } from './forecast.ts';

export interface GatherOptions {
  readonly name: string;
  readonly workflow: string | undefined;
  /** Ask no tracker. */
  readonly offline: boolean;
}

/** What a running worker says; each part null when it did not. */
export interface WorkerView {
  readonly record: WorkerRecord;
  readonly state: StateSnapshot | null;
  readonly detail: IssueDetail | null;
  readonly problem: string | null;
}

/** Everything that is known of one issue, from wherever it can be had. */
export interface Gathered {
  readonly now: number;
  readonly name: string;
  readonly workflowPath: string;
  readonly config: Config;
  readonly settings: SchedulerSettings;
  readonly worker: WorkerView | null;
  /** As the tracker has it now; null when it has no such issue, or was not asked. */
  readonly issue: Issue | null;
  /** Why the tracker was not asked, or could not answer. */
  readonly trackerProblem: string | null;
  readonly record: IssueRecord | null;
  /** Newest first. */
  readonly runs: readonly EndedRun[];
  readonly journalProblem: string | null;
  /** What a worker that starts now would do with it; null while one runs or when nobody knows. */
  readonly forecast: Forecast | null;
}

const RUNS = 10;
const PATIENCE_MS = 15_000;

/** Asks worker, journal and tracker. What one of them cannot say is noted, and the others still count. */
export async function gather(
  options: GatherOptions,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<Gathered> {
  const { name } = options;
  const workflowPath = await chooseWorkflowPath(options.workflow, io.environment, io.cwd);
  const loaded = await loadWorkflow({ path: workflowPath, environment: io.environment });
  const config = loaded.ok ? loaded.config : (loaded.rest?.config ?? null);
  if (config === null) throw problemsToError(loaded.ok ? [] : loaded.problems);
  const mistake = loaded.ok
    ? null
    : loaded.problems.map((problem) => oneLineOfSentences(formatProblem(problem))).join('; ');
  const remembered = await remember(config, name);
  const worker = await askWorker(workflowPath, name, io);
  if (!loaded.ok && worker === null && remembered.record === null && remembered.runs.length === 0)
    throw problemsToError(loaded.problems);
  const known = worker?.detail?.issue_id ?? remembered.record?.issueId ?? remembered.runs[0]?.issueId ?? null;
  const asked =
    options.offline || mistake !== null
      ? { issue: null, problem: mistake ?? 'it was not asked (--offline)' }
      : await askTracker(config, known, name);
  const isAway = worker === null && mistake === null && !options.offline && asked.issue !== null;
  return {
    now: systemClock.now(),
    name,
    workflowPath,
    config,
    settings: schedulerSettings(config, []),
    worker,
    issue: asked.issue,
    trackerProblem: asked.problem,
    ...remembered,
    forecast: isAway && asked.issue !== null ? await forecast(config, asked.issue.id) : null,
  };
}

async function remember(
  config: Config,
  name: string,
): Promise<Pick<Gathered, 'record' | 'runs' | 'journalProblem'>> {
  const { root } = config.workspace;
  if (!existsSync(journalPathOf(root))) return { record: null, runs: [], journalProblem: null };
  try {
    const journal = await openRootReader(root, runSettings(config).trackerScope);
    try {
      const wanted = name.toLowerCase();
      const record = journal
        .loadRecords()
        .find(({ identifier, issueId }) =>
          [identifier, issueId].some((text) => text.toLowerCase() === wanted),
        );
      const runs = journal.runsOfIssue(record?.issueId ?? name, RUNS);
      return { record: record ?? null, runs, journalProblem: journal.status.problem };
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { record: null, runs: [], journalProblem: messageOf(error) };
  }
}

async function askWorker(
  path: string,
  name: string,
  { environment }: Pick<CliIo, 'environment'>,
): Promise<WorkerView | null> {
  const record = await findRecord(path, environment);
  if (record === null) return null;
  const silent = { record, state: null, detail: null };
  if (record.url === null) return { ...silent, problem: 'its page and API are off, so it cannot be asked' };
  const client = createClient({ baseUrl: record.url, token: record.token, fetch: askOverHttp });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const [state, detail] = await Promise.all([client.state(signal), client.issue(name, signal)]);
    return { record, state, detail, problem: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...silent, problem: error.message };
  }
}

async function askTracker(
  config: Config,
  known: string | null,
  name: string,
): Promise<{ readonly issue: Issue | null; readonly problem: string | null }> {
  try {
    const tracker = await createTracker(config.tracker, { logger: silentLogger });
    return { issue: await findInTracker(tracker, config.tracker, known, name), problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { issue: null, problem: messageOf(error) };
  }
}
