import type { ActionRequest, ActionResult } from '../../contract/actions.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Claim, SchedulerState } from '../../scheduler/core/state.ts';
import { NOT_PUSHED } from '../../scheduler/phases/not-pushed.ts';
import type { Orchestrator } from '../orchestrator.ts';
import { findIssueId } from '../snapshot/issue-detail.ts';
import { type Decision, notApplicable, type Subject } from './action-decision.ts';
import { decidePush, tellPush } from './push-action.ts';

const RECORDED_TEXT = 500;

export interface OperatorDeskOptions {
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  /** Texts people send may hold a secret; the record must not. */
  redact(text: string): string;
}

/** Takes an operator's wish, checks that it makes sense now, has the scheduler do it and writes down who asked. */
export class OperatorDesk {
  readonly #options: OperatorDeskOptions;

  constructor(options: OperatorDeskOptions) {
    this.#options = options;
  }

  /**
   * Throws `issue_not_found` or `action_not_applicable`, and `push_failed` when a push was refused. `from` says where the
   * request came from. A push is answered when the remote has answered, everything else at once.
   */
  async act(request: ActionRequest, from: string | null): Promise<ActionResult> {
    const { orchestrator, clock } = this.#options;
    const subject = request.issue === null ? null : this.#find(request.issue);
    const now = clock.now();
    const decision = decide(orchestrator, request, subject, now);
    if (decision.order !== null) {
      orchestrator.journal.recordAction({
        at: now,
        by: request.by,
        action: request.action,
        issueId: subject?.id ?? null,
        detail: this.#detail(request, from),
      });
      orchestrator.act(decision.order);
    }
    const pushed = request.action === 'push' && subject !== null ? await this.#pushOf(subject) : null;
    return {
      action: request.action,
      issue_id: subject?.id ?? null,
      issue_identifier: subject?.identifier ?? null,
      changed: decision.order !== null,
      message: pushed ?? decision.message,
      by: request.by,
      requested_at: new Date(now).toISOString(),
    };
  }

  async #pushOf(subject: Subject): Promise<string | null> {
    const push = this.#options.orchestrator.pushUnderWay(subject.id);
    return push === null ? null : tellPush(await push, subject, this.#options.redact);
  }

  #find(name: string): Subject {
    const { state, history } = this.#options.orchestrator;
    const id = findIssueId(state, history, name);
    if (id === null) {
      throw new AppError('issue_not_found', `the worker has not seen an issue "${name.slice(0, 120)}"`, {
        hint: 'Run `aiops status` for the issues it knows.',
      });
    }
    return { id, identifier: identifierOf(state, id) ?? history.findSeen(id)?.identifier ?? id };
  }

  #detail({ text, resetBudget }: ActionRequest, from: string | null): string | null {
    const parts = [
      from === null ? null : `from ${from}`,
      resetBudget ? 'budgets reset' : null,
      text === null ? null : this.#options.redact(text).slice(0, RECORDED_TEXT),
    ];
    return parts.filter((part) => part !== null).join('; ') || null;
  }
}

function identifierOf({ claims, live, candidates, records }: SchedulerState, id: string): string | null {
  const claim = claims.get(id);
  const issue = claim?.phase === 'running' ? live.get(claim.runId)?.issue : claim?.issue;
  return issue?.identifier ?? candidates.get(id)?.identifier ?? records.get(id)?.identifier ?? null;
}

function decide(
  { state, workflow }: Orchestrator,
  request: ActionRequest,
  subject: Subject | null,
  now: number,
): Decision {
  const { action } = request;
  if (action === 'pause' || action === 'resume') {
    const paused = action === 'pause';
    const message = paused ? 'no new run starts until it is resumed' : 'new runs may start';
    return { order: state.paused === paused ? null : { kind: action }, message };
  }
  if (subject === null) throw new AppError('invalid_action_body', `${action} needs an issue`);
  const claim = state.claims.get(subject.id);
  switch (action) {
    case 'stop':
      return decideStop(state, request, subject, claim);
    case 'retry':
    case 'unblock':
      return decideRetry(state, request, subject, claim, now);
    case 'answer':
      return decideAnswer(request, subject, claim);
    case 'message':
      if (claim?.phase !== 'running') throw notApplicable(subject, 'has no live run to talk to', claim);
      return {
        order: { kind: 'message', issueId: subject.id, text: request.text ?? '' },
        message: "handed to the run; the run's timeline says whether the agent took it",
      };
    case 'push':
      return decidePush(state, workflow.config.repo, request, subject);
    case 'clear-stop': {
      const stopped = (state.records.get(subject.id)?.operatorStop ?? null) !== null;
      return {
        order: stopped ? { kind: 'clear_stop', issueId: subject.id } : null,
        message: stopped ? 'the stop is cleared' : 'there is no stop to clear',
      };
    }
  }
}

function decideStop(
  state: SchedulerState,
  { by }: ActionRequest,
  subject: Subject,
  claim: Claim | undefined,
): Decision {
  const run = claim?.phase === 'running' ? state.live.get(claim.runId) : undefined;
  if (run === undefined) throw notApplicable(subject, 'has no live run to stop', claim);
  if (run.stopping !== null) return { order: null, message: 'the run is being stopped already' };
  return {
    order: { kind: 'stop_run', issueId: subject.id, by },
    message: `run ${run.runId} is being stopped; the issue is then held until it is retried`,
  };
}

function decideRetry(
  state: SchedulerState,
  { action, resetBudget }: ActionRequest,
  subject: Subject,
  claim: Claim | undefined,
  now: number,
): Decision {
  const fresh = resetBudget || action === 'unblock';
  if (claim?.phase === 'checking') return { order: null, message: 'its run is about to start' };
  if (claim?.phase === 'retrying' && claim.dueAt <= now && !fresh)
    return { order: null, message: 'its run starts as soon as a slot is free' };
  if (claim?.phase === 'blocked' && claim.method === NOT_PUSHED) {
    return {
      order: { kind: 'retry_now', issueId: subject.id, resetBudget: false },
      message: `let go without a push: ${claim.issue.state} is no active state, so it is not run; its commits stay in its workspace`,
    };
  }
  if (claim?.phase === 'blocked' || claim?.phase === 'retrying') {
    return {
      order: { kind: 'retry_now', issueId: subject.id, resetBudget: fresh },
      message: `its run starts as soon as a slot is free${fresh ? ', with fresh budgets' : ''}`,
    };
  }
  if ((state.records.get(subject.id)?.operatorStop ?? null) !== null && claim === undefined)
    throw notApplicable(subject, 'was stopped by a person; clear the stop instead', claim);
  throw notApplicable(subject, 'is neither blocked nor waiting for a retry', claim);
}

function decideAnswer({ text }: ActionRequest, subject: Subject, claim: Claim | undefined): Decision {
  if (claim?.phase !== 'blocked' || claim.question === null)
    throw notApplicable(subject, 'has no open question', claim);
  return {
    order: { kind: 'answer', issueId: subject.id, text: text ?? '' },
    message: 'the next run hands the answer to the agent',
  };
}
