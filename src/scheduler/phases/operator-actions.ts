import type { ActionName, OperatorAction } from '../../contract/actions.ts';
import { ZERO_USAGE } from '../../domain/usage.ts';
import { Draft } from '../core/draft.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { BlockedClaim, IssueRecord, LiveRun, SchedulerState } from '../core/state.ts';
import { exhaustedBudget } from '../rules/budgets.ts';
import { whenDueRetryStarts } from '../rules/wait-rules.ts';
import { queueRetry } from './claims.ts';
import { letGo, NOT_PUSHED } from './not-pushed.ts';
import { startPush, whyNoPush } from './push.ts';
import { stopRun } from './reconcile.ts';

/** What an action comes to, for whoever asked. */
export type ActionAnswer =
  | {
      /** False when everything is already as asked. */
      readonly changes: boolean;
      readonly message: string;
      /** The answer is known only when this has ended. */
      readonly waitsFor?: 'push';
    }
  | { readonly refused: 'action_not_applicable'; readonly why: string; readonly hint: string };

interface Accepted {
  readonly message: string;
  /** Null when there is nothing to do. */
  readonly effect: (() => void) | null;
  readonly waitsFor?: 'push';
}

interface Refused {
  readonly why: string;
  readonly hint?: (identifier: string) => string;
}

type Ruling = Accepted | Refused;

/** One rule per action. They act on the scheduler only, never on the tracker. */
const RULES: {
  readonly [Kind in ActionName]: (
    draft: Draft,
    action: Extract<OperatorAction, { readonly kind: Kind }>,
  ) => Ruling;
} = {
  pause: (draft) => setPaused(draft, true),
  resume: (draft) => setPaused(draft, false),
  stop: stopLiveRun,
  retry: (draft, action) => retryNow(draft, action.issue, action.reset_budget === true),
  unblock: (draft, action) => retryNow(draft, action.issue, true),
  answer: answerQuestion,
  message(draft, { issue, text }) {
    const run = liveRunOf(draft, issue);
    if (run === undefined) return { why: 'has no live run to talk to' };
    return {
      message: "handed to the run; the run's timeline says whether the agent took it",
      effect: () => draft.emit({ type: 'message_run', runId: run.runId, text }),
    };
  },
  push: pushBranch,
  'clear-stop'(draft, { issue }) {
    const record = draft.records.get(issue);
    if (record === undefined || record.operatorStop === null)
      return { message: 'there is no stop to clear', effect: null };
    const about = { id: record.issueId, identifier: record.identifier };
    return {
      message: 'the stop is cleared',
      effect() {
        draft.saveRecord({ ...record, operatorStop: null });
        draft.publish('operator_action', 'terminal stop cleared', about);
      },
    };
  },
};

function rule(draft: Draft, action: OperatorAction): Ruling {
  const decide = RULES[action.kind] as (draft: Draft, action: OperatorAction) => Ruling;
  return decide(draft, action);
}

/** The answer to an action, by the same rules that `transition` applies. `identifier` names the issue in texts. */
export function decideAction(
  state: SchedulerState,
  action: OperatorAction,
  identifier: string,
  now: number,
  settings: SchedulerSettings,
): ActionAnswer {
  const ruling = rule(new Draft(state, now, settings), action);
  if ('effect' in ruling) {
    const { message, effect, waitsFor } = ruling;
    return { changes: effect !== null, message, ...(waitsFor === undefined ? {} : { waitsFor }) };
  }
  const phase = 'issue' in action ? state.claims.get(action.issue)?.phase : undefined;
  return {
    refused: 'action_not_applicable',
    why: `${identifier} ${ruling.why} (it is ${phase ?? 'not claimed'})`,
    hint: ruling.hint?.(identifier) ?? `Run \`aiops status ${identifier}\` for what it waits for.`,
  };
}

/** An action that does not apply changes nothing. */
export function onOperatorAction(draft: Draft, action: OperatorAction): void {
  const ruling = rule(draft, action);
  if ('effect' in ruling) ruling.effect?.();
}

function setPaused(draft: Draft, paused: boolean): Ruling {
  return {
    message: paused ? 'no new run starts until it is resumed' : 'new runs may start',
    effect:
      draft.paused === paused
        ? null
        : () => {
            draft.paused = paused;
            draft.publish('operator_action', paused ? 'dispatch paused' : 'dispatch resumed');
          },
  };
}

function liveRunOf(draft: Draft, issueId: string): LiveRun | undefined {
  const claim = draft.claims.get(issueId);
  return claim?.phase === 'running' ? draft.live.get(claim.runId) : undefined;
}

function stopLiveRun(draft: Draft, { issue, by }: { readonly issue: string; readonly by: string }): Ruling {
  const run = liveRunOf(draft, issue);
  if (run === undefined) return { why: 'has no live run to stop' };
  if (run.stopping !== null) return { message: 'the run is being stopped already', effect: null };
  return {
    message: `run ${run.runId} is being stopped; the issue is then held until it is retried`,
    effect: () => stopRun(draft, run, { kind: 'operator', by }),
  };
}

function retryNow(draft: Draft, issueId: string, fresh: boolean): Ruling {
  const claim = draft.claims.get(issueId);
  if (claim?.phase === 'checking') return { message: 'its run is about to start', effect: null };
  if (claim?.phase === 'blocked' && claim.method === NOT_PUSHED) {
    return {
      message: `let go without a push: ${claim.issue.state} is no active state, so it is not run; its commits stay in its workspace`,
      effect: () => letGo(draft, claim.issue),
    };
  }
  if (claim?.phase === 'blocked' || claim?.phase === 'retrying') {
    const message = `its run starts ${whenDueRetryStarts(draft, claim.issue)}`;
    if (claim.phase === 'retrying' && claim.dueAt <= draft.now && !fresh) return { message, effect: null };
    return {
      message: `${message}${fresh ? ', with fresh budgets' : ''}`,
      effect() {
        const record = draft.record(claim.issue);
        draft.publish('operator_action', fresh ? 'retry now with fresh budgets' : 'retry now', claim.issue);
        resumeNow(draft, claim.issue, fresh ? withFreshBudgets(record) : { ...record, noProgressRuns: 0 });
      },
    };
  }
  const stopped = claim === undefined && (draft.records.get(issueId)?.operatorStop ?? null) !== null;
  return {
    why: stopped
      ? 'was stopped by a person; clear the stop instead'
      : 'is neither blocked nor waiting for a retry',
  };
}

function answerQuestion(
  draft: Draft,
  { issue, text }: { readonly issue: string; readonly text: string },
): Ruling {
  const claim = draft.claims.get(issue);
  if (claim?.phase !== 'blocked' || claim.question === null) return { why: 'has no open question' };
  return {
    message: 'the next run hands the answer to the agent',
    effect() {
      draft.publish('operator_action', 'question answered', claim.issue);
      const plan = { kind: 'continuation', attempt: 1, dueAt: draft.now, error: null, answer: text } as const;
      queueRetry(draft, claim.issue, plan, draft.record(claim.issue));
    },
  };
}

/** A push that is under way is joined. */
function pushBranch(draft: Draft, { issue, by }: { readonly issue: string; readonly by: string }): Ruling {
  const { pushBy } = draft.settings;
  if (pushBy === null) {
    const hint =
      'Name the repository with repo.clone_url in the workflow, or push from the workspace by hand.';
    return { why: 'has no repository that the worker knows', hint: () => hint };
  }
  if (pushBy === 'agent') {
    const hint = 'Set repo.push to worker in the workflow, or push from the workspace by hand.';
    return { why: 'is pushed by its agent only, as repo.push says', hint: () => hint };
  }
  const message = 'its branch is being pushed';
  if (draft.pushing.has(issue)) return { message, effect: null, waitsFor: 'push' };
  const why = whyNoPush(draft, issue);
  if (why === null) return { message, effect: () => startPush(draft, issue, by), waitsFor: 'push' };
  const hint = (identifier: string): string =>
    `See what becomes of it with \`aiops logs ${identifier}\`; work saved from removed workspaces is in \`aiops rescue list\`.`;
  return { why, hint };
}

function resumeNow(draft: Draft, issue: BlockedClaim['issue'], record: IssueRecord): void {
  queueRetry(draft, issue, { kind: 'continuation', attempt: 1, dueAt: draft.now, error: null }, record);
}

function withFreshBudgets(record: IssueRecord): IssueRecord {
  return { ...record, turns: 0, usage: ZERO_USAGE, runtimeMs: 0, costUsd: 0, noProgressRuns: 0 };
}

/** After a reload: issues blocked by a budget that has been raised go on. */
export function resumeRaisedBudgets(draft: Draft): void {
  for (const [, claim] of [...draft.claims.entries()]) {
    if (claim.phase !== 'blocked') continue;
    if (claim.method !== 'continuation_budget' && claim.method !== 'budget_exceeded') continue;
    const record = draft.record(claim.issue);
    if (exhaustedBudget(draft, record, null) !== null) continue;
    resumeNow(draft, claim.issue, record);
  }
}
