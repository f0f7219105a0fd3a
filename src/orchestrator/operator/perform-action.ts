import type { ActionResult, OperatorAction } from '../../contract/actions.ts';
import type { Clock } from '../../domain/clock.ts';
import type { PushResult } from '../../domain/push.ts';
import { AppError } from '../../errors/app-error.ts';
import { decideAction } from '../../scheduler/phases/operator-actions.ts';
import { describeRefusal } from '../../scheduler/phases/push.ts';
import type { Orchestrator } from '../orchestrator.ts';
import { findIssue, type IssueName } from '../snapshot/find-issue.ts';

const MAX_RECORDED_TEXT = 500;

export interface PerformActionOptions {
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  /** Texts people send may hold a secret; the record must not. */
  redact(text: string): string;
}

/**
 * Has the scheduler do what an operator asks, and writes down who asked. Throws `issue_not_found` or
 * `action_not_applicable`, and `push_failed` when a push was refused. `from` is where the request came from. A push is
 * answered when the remote has answered, everything else at once.
 */
export async function performAction(
  { orchestrator, clock, redact }: PerformActionOptions,
  requested: OperatorAction,
  from: string | null,
): Promise<ActionResult> {
  const issue = 'issue' in requested ? knownIssue(orchestrator, requested.issue) : null;
  const action = 'issue' in requested && issue !== null ? { ...requested, issue: issue.id } : requested;
  const now = clock.now();
  const { state, workflow, journal } = orchestrator;
  const answer = decideAction(state, action, issue?.identifier ?? '', now, workflow.settings);
  if ('refused' in answer) throw new AppError(answer.refused, answer.why, { hint: answer.hint });
  const { kind, by } = action;
  if (answer.changes) {
    const detail = detailOf(action, from, redact);
    journal.recordAction({ at: now, by, action: kind, issueId: issue?.id ?? null, detail });
    orchestrator.act(action);
  }
  const push = answer.waitsFor === 'push' && issue !== null ? orchestrator.pushUnderWay(issue.id) : null;
  return {
    action: kind,
    issue_id: issue?.id ?? null,
    issue_identifier: issue?.identifier ?? null,
    changed: answer.changes,
    message: push === null || issue === null ? answer.message : describePush(await push, issue, redact),
    by,
    requested_at: new Date(now).toISOString(),
  };
}

function knownIssue({ state, history }: Orchestrator, name: string): IssueName {
  const issue = findIssue(state, history, name);
  if (issue !== null) return issue;
  throw new AppError('issue_not_found', `the worker has not seen an issue "${name.slice(0, 120)}"`, {
    hint: 'Run `aiops status` for the issues it knows.',
  });
}

function detailOf(
  action: OperatorAction,
  from: string | null,
  redact: (text: string) => string,
): string | null {
  const resets = action.kind === 'unblock' || (action.kind === 'retry' && action.reset_budget === true);
  const parts = [
    from === null ? null : `from ${from}`,
    resets ? 'budgets reset' : null,
    'text' in action ? redact(action.text).slice(0, MAX_RECORDED_TEXT) : null,
  ];
  return parts.filter((part) => part !== null).join('; ') || null;
}

/** What the remote answered, for people; throws `push_failed` when it is a refusal. */
function describePush(
  result: PushResult,
  { identifier }: IssueName,
  redact: (text: string) => string,
): string {
  if (result.ok) {
    const what = `${result.branch} at ${result.commit.slice(0, 12)}`;
    return redact(result.changed ? `${what} is pushed` : `${what} was on the remote already`);
  }
  throw new AppError('push_failed', redact(`${identifier}: ${describeRefusal(result)}`), {
    hint: 'Mend what it names in the workspace, or move the issue back to an active state so that its agent does; then push again.',
  });
}
