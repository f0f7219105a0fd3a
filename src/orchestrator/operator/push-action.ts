import type { RepoConfig } from '../../config/config.ts';
import type { ActionRequest } from '../../contract/actions.ts';
import type { PushResult } from '../../domain/push.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import { describeRefusal, whyNoPush } from '../../scheduler/phases/push.ts';
import { type Decision, notApplicable, type Subject } from './action-decision.ts';

/** Throws `action_not_applicable` with the way out. A push that is under way is joined. */
export function decidePush(
  state: SchedulerState,
  repo: Pick<RepoConfig, 'push'> | null,
  { by }: ActionRequest,
  subject: Subject,
): Decision {
  const claim = state.claims.get(subject.id);
  if (repo === null) {
    const hint =
      'Name the repository with repo.clone_url in the workflow, or push from the workspace by hand.';
    throw notApplicable(subject, 'has no repository that the worker knows', claim, hint);
  }
  if (repo.push === 'agent') {
    const hint = 'Set repo.push to worker in the workflow, or push from the workspace by hand.';
    throw notApplicable(subject, 'is pushed by its agent only, as repo.push says', claim, hint);
  }
  if (state.pushing.has(subject.id)) return { order: null, message: 'its branch is being pushed' };
  const why = whyNoPush(state, subject.id);
  if (why !== null) throw notApplicable(subject, why, claim, pushHint(subject));
  return { order: { kind: 'push', issueId: subject.id, by }, message: 'its branch is being pushed' };
}

function pushHint({ identifier }: Subject): string {
  return `See what becomes of it with \`aiops logs ${identifier}\`; work saved from removed workspaces is in \`aiops rescue list\`.`;
}

/** What the remote answered, for people; throws `push_failed` when it is a refusal. */
export function tellPush(
  result: PushResult,
  { identifier }: Subject,
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
