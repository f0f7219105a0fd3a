import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import {
  type BudgetUse,
  budgetUse,
  explainRules,
  type IssueRule,
} from '../../scheduler/explain/issue-rules.ts';
import { oneLine } from '../history/text.ts';
import type { TargetFlags } from '../remote/find-worker.ts';
import type { Gathered } from './gather.ts';
import { type Outlook, outlookOf } from './outlook.ts';
import { type Suggestion, suggest } from './suggest.ts';

/** A rule about the issue, or about the worker as a whole. */
export interface ExplainedRule {
  readonly name: IssueRule['name'] | 'worker' | 'pause' | 'set-up' | 'slot';
  readonly ok: boolean;
  readonly text: string;
}

/** Whether the worker keeps the issue to itself: its live run, a planned one, or a person who has to act. */
export interface Claim {
  readonly phase: 'running' | 'retrying' | 'blocked' | 'none';
  readonly runId: string | null;
  readonly since: number | null;
  readonly attempt: number | null;
}

/** Everything about one issue. */
export interface Explanation {
  readonly identifier: string;
  readonly title: string;
  readonly url: string | null;
  readonly state: string | null;
  readonly outlook: Outlook;
  readonly claim: Claim;
  readonly rules: readonly ExplainedRule[];
  readonly budgets: readonly BudgetUse[];
  /** Over all times that it was worked on. */
  readonly lifetime: IssueRecord['lifetime'] | null;
  readonly runs: readonly EndedRun[];
  readonly work: {
    readonly branch: string | null;
    readonly commits: number | null;
    readonly pushed: boolean | null;
    readonly pullRequestUrl: string | null;
    readonly workspace: string | null;
    readonly session: { readonly agent: string; readonly id: string } | null;
  };
  readonly suggestions: readonly Suggestion[];
  /** What could not be found out. */
  readonly gaps: readonly string[];
}

/** Null when nobody knows the issue: not the worker, not the journal, not the tracker. */
export function explain(facts: Gathered, target: TargetFlags): Explanation | null {
  const { issue, record, runs, worker, settings, now } = facts;
  const detail = worker?.detail ?? null;
  const [last] = runs;
  const identifier = issue?.identifier ?? detail?.issue_identifier ?? record?.identifier ?? last?.identifier;
  if (identifier === undefined) return null;
  const outlook = outlookOf(facts);
  const evidence = last?.result.evidence ?? null;
  const session = record?.session ?? null;
  return {
    identifier,
    title: oneLine(issue?.title ?? detail?.title ?? last?.title ?? ''),
    url: issue?.url ?? detail?.issue_url ?? last?.url ?? null,
    state: issue?.state ?? detail?.state ?? last?.stateAfter ?? null,
    outlook,
    claim: claimOf(facts),
    rules: [...(issue === null ? [] : explainRules(issue, record, settings, now)), ...workerRules(facts)],
    budgets: budgetUse(record, settings, now),
    lifetime: record?.lifetime ?? null,
    runs,
    work: {
      branch: detail?.running?.branch ?? evidence?.branch ?? issue?.branchName ?? null,
      commits: evidence?.commitsAhead ?? null,
      pushed: evidence?.pushed ?? null,
      pullRequestUrl:
        runs.find((run) => run.result.evidence.pullRequestUrl !== null)?.result.evidence.pullRequestUrl ??
        null,
      workspace: detail?.workspace.path ?? last?.workspacePath ?? null,
      session: session === null ? null : { agent: session.runner, id: session.sessionId },
    },
    suggestions: suggest(identifier, outlook, facts, target),
    gaps: gapsOf(facts),
  };
}

function workerRules({ worker }: Gathered): ExplainedRule[] {
  if (worker === null) return [{ name: 'worker', ok: false, text: 'no worker runs for this workflow' }];
  const { record, state, detail } = worker;
  const alive: ExplainedRule = {
    name: 'worker',
    ok: true,
    text: `process ${record.pid} runs ${record.workflow_path}`,
  };
  if (state === null) return [alive];
  const [problem] = state.preflight.errors;
  return [
    alive,
    {
      name: 'pause',
      ok: !state.paused,
      text: state.paused ? 'the worker is paused' : 'the worker is not paused',
    },
    {
      name: 'set-up',
      ok: problem === undefined,
      text: problem?.message ?? 'nothing in the set-up keeps runs from starting',
    },
    slotRule(state, detail),
  ];
}

function slotRule(state: StateSnapshot, detail: IssueDetail | null): ExplainedRule {
  const { running } = state.counts;
  const used = `${running} of ${state.max_concurrent_agents} slots in use`;
  if (detail !== null && detail.running !== null)
    return { name: 'slot', ok: true, text: `it has one (${used})` };
  const reason = detail?.waiting?.reason ?? detail?.retry?.reason ?? '';
  if (reason.startsWith('waiting for a slot')) return { name: 'slot', ok: false, text: reason };
  return { name: 'slot', ok: running < state.max_concurrent_agents, text: used };
}

/** Who has a hand on the issue. */
function claimOf({ worker, record }: Gathered): Claim {
  const detail = worker?.detail ?? null;
  if (detail !== null && detail.running !== null) {
    const { run_id: runId, started_at: since, retry_attempt: attempt } = detail.running;
    return { phase: 'running', runId, since: Date.parse(since), attempt: attempt ?? null };
  }
  const claim = record?.claim ?? null;
  if (claim?.phase === 'blocked')
    return { phase: 'blocked', runId: claim.runId, since: claim.blockedAt, attempt: null };
  if (claim?.phase === 'retrying')
    return { phase: 'retrying', runId: null, since: null, attempt: claim.attempt };
  return { phase: 'none', runId: null, since: null, attempt: null };
}

function gapsOf({ trackerProblem, journalProblem, worker, issue, config }: Gathered): string[] {
  const missing =
    trackerProblem === null && issue === null
      ? [`the tracker (${config.tracker.kind}) has no such issue`]
      : [];
  return [
    ...(trackerProblem === null ? [] : [`the tracker: ${trackerProblem}`]),
    ...missing,
    ...(journalProblem === null ? [] : [`the journal: ${journalProblem}`]),
    ...(worker?.problem === null || worker === null ? [] : [`the worker: ${worker.problem}`]),
  ].map((text) => oneLine(text, 400));
}
