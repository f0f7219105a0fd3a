import type { RunMessage } from '../../../contract/stream.ts';
import type { Clock } from '../../../domain/clock.ts';
import { AppError } from '../../../errors/app-error.ts';
import { redactTexts } from '../../../observability/redact-texts.ts';
import { HourlyTotals } from '../../../orchestrator/history/hourly-totals.ts';
import type { StandingWarnings } from '../../../orchestrator/history/standing-warnings.ts';
import { performAction } from '../../../orchestrator/operator/perform-action.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import { buildIssueDetail } from '../../../orchestrator/snapshot/issue-detail.ts';
import { PollMeter } from '../../../orchestrator/snapshot/poll-meter.ts';
import { buildRunDetail, findRun, listRuns } from '../../../orchestrator/snapshot/run-pages.ts';
import { SnapshotCache } from '../../../orchestrator/snapshot/snapshot-cache.ts';
import { SnapshotBuilder, type SnapshotInput } from '../../../orchestrator/snapshot/state-snapshot.ts';
import { timelineRow } from '../../../orchestrator/snapshot/timeline.ts';
import { whyNotPolling } from '../../../scheduler/explain/readiness.ts';
import type { WebhookReceiver } from '../../../server/webhooks/webhook-receiver.ts';
import type { WorkerListener, WorkerPort } from '../../../server/worker-port.ts';
import type { Journal } from '../../../store/journal.ts';
import type { ReadDiff } from '../../../workspaces/reading/diff.ts';
import { redactedEditor } from './redacted-editor.ts';

export interface WorkerPortOptions {
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  readonly version: string;
  readonly identity: ReturnType<WorkerPort['identity']>;
  readonly webhooks?: WebhookReceiver;
  reloadError(): string | null;
  readonly warnings?: StandingWarnings;
  readDiff: ReadDiff;
  /** Takes secrets out of texts that people send and files that agents wrote. */
  redact(text: string): string;
}

/** The orchestrator as the HTTP surface sees it. */
export function createWorkerPort(options: WorkerPortOptions): WorkerPort {
  const { orchestrator, clock } = options;
  const { history, journal } = orchestrator;
  const builder = new SnapshotBuilder(history, options.redact);
  const hourly = new HourlyTotals(history, journal);
  const meter = new PollMeter();
  orchestrator.observe(() => meter.note(orchestrator.state, orchestrator.workflow.tracker));
  const input = (): SnapshotInput => ({
    state: orchestrator.state,
    activity: orchestrator.activity,
    workflow: orchestrator.workflow,
    history,
    now: clock.now(),
    startedAt: orchestrator.startedAt,
    version: options.version,
    reloadError: options.reloadError(),
    warnings: options.warnings?.list ?? [],
    journal: journal.status,
    pollRequests: meter.last,
    webhooks: options.webhooks?.status() ?? null,
    survey: orchestrator.survey,
  });
  const cache = new SnapshotCache(builder, input);
  options.warnings?.observe(() => cache.invalidate());
  const clean = <T>(value: T): T => redactTexts(value, options.redact);
  const locate = (name: string) => findRun(orchestrator.state, history, journal, name);
  return {
    identity: () => options.identity,
    snapshot: () => cache.get(),
    snapshotBody: () => cache.body(),
    issue: (name) => buildIssueDetail(input(), name, builder, journal, options.redact),
    requestRefresh() {
      const coalesced = orchestrator.requestPoll();
      cache.invalidate();
      return { coalesced };
    },
    async act(action, from) {
      const result = performAction(options, action, from);
      cache.invalidate();
      return result.finally(() => cache.invalidate());
    },
    actions: (limit) => ({ actions: journal.listActions(limit).map(actionRow) }),
    runs: (query) => clean(listRuns(history, journal, query)),
    run: (name) => clean(buildRunDetail(input(), journal, name)),
    runEvents: async (name, page) => clean(await readRunEvents(orchestrator, locate(name).runId, page)),
    runDiff: (name, signal) => readRunDiff(options, locate(name).runId, signal),
    history: (bucket, points) => hourly.read(bucket, points, clock.now()),
    issueEditor() {
      const editor = orchestrator.workflow.tracker?.editor;
      return editor === undefined ? null : redactedEditor(editor, options.redact);
    },
    metrics() {
      const { outcomes, seconds } = history.sums;
      const webhooks = options.webhooks?.counts ?? new Map();
      return { snapshot: cache.get(), outcomes, runSeconds: seconds, webhooks };
    },
    subscribe: (listener) => subscribe(options, listener),
    readiness: () => readinessOf(orchestrator, clock.now()),
  };
}

function readinessOf({ ready, state, workflow }: Orchestrator, now: number) {
  if (!ready) return { ready, reason: 'the worker is reading its workspaces' };
  const why = whyNotPolling(state, workflow.settings, now);
  return { ready: why === null, reason: why ?? 'ok' };
}

function actionRow({ id, at, by, action, issueId, detail }: ReturnType<Journal['listActions']>[number]) {
  return { id, at: new Date(at).toISOString(), by, action, issue_id: issueId, detail };
}

async function readRunEvents(
  orchestrator: Orchestrator,
  runId: string,
  page: Parameters<WorkerPort['runEvents']>[1],
) {
  const { entries, next, unreadable } = await orchestrator.journal.runEvents(runId, page);
  const events = entries.map(({ seq, at, event }) => timelineRow(seq, at, event));
  return { run_id: runId, events, next, live: orchestrator.state.live.has(runId), unreadable };
}

function subscribe(
  { orchestrator, webhooks, warnings, redact }: WorkerPortOptions,
  listener: WorkerListener,
): () => void {
  const forgetChanges = orchestrator.observe(() => listener.changed());
  const forgetWebhooks = webhooks?.observe(() => listener.changed());
  const forgetWarnings = warnings?.observe(() => listener.changed());
  const forgetRuns = orchestrator.observeRuns((runId, seq, at, event) => {
    const identifier = orchestrator.state.live.get(runId)?.issue.identifier ?? '';
    const message = (): RunMessage => ({
      type: 'run',
      run_id: runId,
      issue_identifier: identifier,
      entry: redactTexts(timelineRow(seq, at, event), redact),
    });
    listener.runEvent(runId, message);
  });
  return () => {
    forgetChanges();
    forgetWebhooks?.();
    forgetWarnings?.();
    forgetRuns();
  };
}

async function readRunDiff(
  { orchestrator, readDiff, redact }: WorkerPortOptions,
  runId: string,
  signal: AbortSignal,
) {
  const { state, history, journal, workflow } = orchestrator;
  const live = state.live.get(runId);
  const path = live?.workspacePath ?? findRun(state, history, journal, runId).ended?.workspacePath ?? null;
  if (path === null) {
    throw new AppError('not_found', 'this run has no workspace', {
      hint: 'It was still being prepared, or the run ended before it was.',
    });
  }
  const { root } = workflow.config.workspace;
  const baseBranch = workflow.config.repo?.defaultBranch ?? null;
  const diff = await readDiff({ root, path, baseBranch, signal });
  return {
    run_id: runId,
    ...diff,
    files: [...diff.files],
    untracked: [...diff.untracked],
    commits: diff.commits.map((commit) => redactTexts(commit, redact)),
    patch: redact(diff.patch),
  };
}
