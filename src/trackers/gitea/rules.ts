import {
  CommentBody,
  commented,
  IssueTextBody,
  opened,
  PlainPullRequestBody,
  ReviewersBody,
} from '../forge/tools/bodies.ts';
import type { RestRule } from '../forge/tools/rest-policy.ts';

const REPO = '/repos/:owner/:repo';
const PAGE = ['page', 'limit'];

/** What an agent may ask of Gitea. Labels change only through the tools that know which of them are states. */
export function giteaRules(): readonly RestRule[] {
  return [...reads(), ...writes()];
}

function reads(): readonly RestRule[] {
  const own = `${REPO}/issues/:own`;
  const pull = `${REPO}/pulls/:number`;
  const templates: readonly (readonly [string, readonly string[]])[] = [
    [REPO, []],
    [`${REPO}/labels`, PAGE],
    [own, []],
    [`${own}/comments`, ['since', 'before']],
    [`${own}/labels`, []],
    [`${own}/timeline`, [...PAGE, 'since', 'before']],
    [`${own}/dependencies`, PAGE],
    [`${own}/blocks`, PAGE],
    [`${REPO}/pulls`, [...PAGE, 'state', 'sort']],
    [pull, []],
    [`${pull}/files`, PAGE],
    [`${pull}/commits`, PAGE],
    [`${pull}/reviews`, PAGE],
    [`${REPO}/branches/:ref`, []],
    [`${REPO}/commits/:ref/status`, PAGE],
  ];
  return templates.map(([template, params]) => ({ method: 'GET', template, params }));
}

function writes(): readonly RestRule[] {
  const own = `${REPO}/issues/:own`;
  const pull = `${REPO}/pulls/:pull`;
  return [
    { method: 'POST', template: `${own}/comments`, body: CommentBody, effect: commented },
    { method: 'PATCH', template: own, body: IssueTextBody },
    { method: 'POST', template: `${REPO}/pulls`, body: PlainPullRequestBody, effect: opened },
    { method: 'PATCH', template: pull, body: IssueTextBody },
    { method: 'POST', template: `${pull}/requested_reviewers`, body: ReviewersBody },
    { method: 'POST', template: `${REPO}/issues/:pull/comments`, body: CommentBody },
  ];
}
