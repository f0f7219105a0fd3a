import type { Subject } from '../../doctor/list-checks.ts';
import type { CheckedWorkflow } from '../../doctor/rules/workflow/workflow.ts';
import { localPathOf, repositoryIdentity } from '../../workspaces/git/repository-url.ts';

/** What the rules are about. */
export function subjectOf(workflow: CheckedWorkflow, offline: boolean): Subject {
  const { repo = null } = workflow.config ?? {};
  const cloneUrl = repo === null || repo.cloneUrl === '' ? null : repo.cloneUrl;
  return {
    workflow,
    repositoryIdentity: cloneUrl === null ? null : repositoryIdentity(cloneUrl),
    repositoryPath: cloneUrl === null ? null : localPathOf(cloneUrl),
    offline,
  };
}
