import type { LabelStates } from '../forge/states/label-states.ts';
import {
  CommentBody,
  commented,
  IssueTextBody,
  labelsBody,
  opened,
  PullRequestBody,
  ReviewersBody,
} from '../forge/tools/bodies.ts';
import type { RestRule } from '../forge/tools/rest-policy.ts';

const REPO = '/repos/:owner/:repo';
const PAGE = ['page', 'per_page'];

/** What an agent may ask of GitHub. Everything else is refused. */
export function githubRules(states: LabelStates, vouching: readonly string[] = []): readonly RestRule[] {
  return [...reads(), ...writes(states, vouching)];
}

function reads(): readonly RestRule[] {
  const own = `${REPO}/issues/:own`;
  const pull = `${REPO}/pulls/:number`;
  const templates: readonly (readonly [string, readonly string[]])[] = [
    [REPO, []],
    [`${REPO}/labels`, PAGE],
    [own, []],
    [`${own}/comments`, [...PAGE, 'since']],
    [`${own}/labels`, PAGE],
    [`${own}/events`, PAGE],
    [`${own}/timeline`, PAGE],
    [`${own}/sub_issues`, PAGE],
    [`${own}/dependencies/blocked_by`, PAGE],
    [`${REPO}/pulls`, [...PAGE, 'state', 'head', 'base', 'sort', 'direction']],
    [pull, []],
    [`${pull}/files`, PAGE],
    [`${pull}/commits`, PAGE],
    [`${pull}/reviews`, PAGE],
    [`${pull}/comments`, PAGE],
    [`${REPO}/branches/:ref`, []],
    [`${REPO}/commits/:ref`, PAGE],
    [`${REPO}/commits/:ref/status`, PAGE],
    [`${REPO}/commits/:ref/check-runs`, [...PAGE, 'check_name', 'status', 'filter']],
  ];
  return templates.map(([template, params]) => ({ method: 'GET', template, params }));
}

function writes(states: LabelStates, vouching: readonly string[]): readonly RestRule[] {
  const own = `${REPO}/issues/:own`;
  const pull = `${REPO}/pulls/:pull`;
  return [
    { method: 'POST', template: `${own}/comments`, body: CommentBody, effect: commented },
    { method: 'PATCH', template: own, body: IssueTextBody },
    { method: 'POST', template: `${own}/labels`, body: labelsBody(states, vouching) },
    { method: 'DELETE', template: `${own}/labels/:label` },
    { method: 'POST', template: `${REPO}/pulls`, body: PullRequestBody, effect: opened },
    { method: 'PATCH', template: pull, body: IssueTextBody },
    { method: 'POST', template: `${pull}/requested_reviewers`, body: ReviewersBody },
    { method: 'POST', template: `${pull}/comments/:number/replies`, body: CommentBody },
    { method: 'POST', template: `${REPO}/issues/:pull/comments`, body: CommentBody },
  ];
}
