import type { PromptInput } from './render.ts';

/**
 * The names a template can use: `issue.*`, `task.*`, `repo.*`, `workspace.*`, `attempt`, `retry_kind`. Every name is always there
 * (null when there is nothing to say), so only a misspelt one is an error.
 */
export function templateVariables(input: PromptInput): Record<string, unknown> {
  const { issue, trackerKind, repo, branch, attempt, retryKind } = input;
  const description = issue.description ?? '';
  const link = issue.url === null ? '' : `Tracker: ${issue.url}`;
  return {
    issue: {
      id: issue.id,
      identifier: issue.identifier,
      title: issue.title,
      description: issue.description,
      priority: issue.priority,
      state: issue.state,
      branch_name: issue.branchName,
      url: issue.url,
      assignee_id: issue.assigneeId,
      labels: [...issue.labels],
      blocked_by: issue.blockedBy.map(({ id, identifier, state }) => ({ id, identifier, state })),
      dispatchable: issue.dispatchable,
      created_at: issue.createdAt,
      updated_at: issue.updatedAt,
      native_ref: issue.nativeRef,
      actor: trackerKind,
    },
    task: {
      id: issue.id,
      title: `${issue.identifier} ${issue.title}`,
      description: [description, link].filter((part) => part !== '').join('\n\n'),
      actor: trackerKind,
    },
    repo: {
      owner: repo?.owner ?? null,
      name: repo?.name ?? null,
      // The Go worker means the base branch by it; without a repository there is only the branch that hooks made.
      branch: repo === null ? branch : repo.defaultBranch,
      default_branch: repo?.defaultBranch ?? null,
    },
    workspace: { branch },
    attempt,
    retry_kind: retryKind,
  };
}
