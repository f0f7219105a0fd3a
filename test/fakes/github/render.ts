import type { ApiDescription } from '../forge/description.ts';
import { HEAD_SHA } from '../forge/pulls.ts';
import type { FakeComment, FakeIssue, FakeLabel, ForgeStore } from '../forge/store.ts';

type Json = Record<string, unknown>;

const REPO = '/repos/{owner}/{repo}';
const examples: { issue: Json; pull: Json; fullPull: Json; label: Json; comment: Json; user: Json } = {
  issue: {},
  pull: {},
  fullPull: {},
  label: {},
  comment: {},
  user: {},
};

/** GitHub's own examples are the mould of every answer. */
export function setExamples(description: ApiDescription): void {
  const first = (name: string): Json => (description.example(name) as Json[])[0] ?? {};
  examples.issue = first(`get ${REPO}/issues`);
  examples.pull = first(`get ${REPO}/pulls`);
  examples.fullPull = description.example(`get ${REPO}/pulls/{pull_number}`) as Json;
  examples.label = first(`get ${REPO}/labels`);
  examples.comment = first(`get ${REPO}/issues/{issue_number}/comments`);
  examples.user = (examples.issue['user'] ?? {}) as Json;
}

export function issueJson(issue: FakeIssue, store: ForgeStore): Json {
  const open = issue.blockedBy.filter((number) => store.issues.get(number)?.closed === false);
  const { pull_request: pullRequest, ...mould } = structuredClone(examples.issue);
  const counts = {
    sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
    issue_dependencies_summary: {
      blocked_by: open.length,
      total_blocked_by: issue.blockedBy.length,
      blocking: 0,
      total_blocking: 0,
    },
  };
  return {
    ...mould,
    id: 7_000_000 + issue.number,
    node_id: `I_${issue.number}`,
    number: issue.number,
    title: issue.title,
    body: issue.body === '' ? null : issue.body,
    state: issue.closed ? 'closed' : 'open',
    html_url: `https://github.com/octo/app/issues/${issue.number}`,
    repository_url: 'https://api.github.com/repos/octo/app',
    labels: issue.labels.map((name) => labelJson({ id: 1, name, color: 'ededed' })),
    assignee: null,
    assignees: issue.assignees.map(userJson),
    user: userJson(issue.author),
    author_association: issue.association,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    ...(store.legacy ? {} : counts),
    ...(issue.pull === null ? {} : { pull_request: pullRequest }),
  };
}

export function pullJson(issue: FakeIssue, full: boolean): Json {
  const mould = structuredClone(full ? examples.fullPull : examples.pull);
  const head = mould['head'] as Json;
  return {
    ...mould,
    // GitHub's example of a team lacks a field that its own description asks for.
    requested_teams: [],
    number: issue.number,
    node_id: `PR_${issue.number}`,
    title: issue.title,
    body: issue.body === '' ? null : issue.body,
    state: issue.closed ? 'closed' : 'open',
    draft: issue.pull?.draft ?? false,
    merged_at: issue.pull?.merged === true ? issue.updatedAt : null,
    user: userJson(issue.author),
    author_association: issue.association,
    requested_reviewers: (issue.pull?.reviewers ?? []).map(userJson),
    html_url: `https://github.com/octo/app/pull/${issue.number}`,
    base: { ...(mould['base'] as Json), ref: issue.pull?.base },
    head: {
      ...head,
      ref: issue.pull?.head,
      sha: HEAD_SHA,
      repo: { ...(head['repo'] as Json), full_name: issue.pull?.headRepository },
    },
  };
}

export function labelJson({ id, name, color }: FakeLabel): Json {
  return { ...examples.label, id, name, color };
}

export function commentJson(comment: FakeComment): Json {
  const { id, body, author, association, at } = comment;
  return {
    ...examples.comment,
    id,
    body,
    user: userJson(author),
    author_association: association,
    created_at: at,
    updated_at: at,
  };
}

function userJson(login: string): Json {
  return { ...examples.user, login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
}
