import type { Issue } from '../../../domain/issue.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { assertNamingFilter, assertOwnTeamFilter, pinsOwnIssue } from './graphql/filters.ts';
import type { Values } from './graphql/values.ts';
import { isOwnIssue, nativeText, sameText } from './own-issue.ts';

interface QueryRule {
  readonly type: string;
  /** Argument names that may be used; values are judged by `assertScope`. */
  readonly takes: readonly string[];
  assertScope?(values: Values, issue: Issue): void;
}

const PAGES = ['first', 'last', 'after', 'before', 'orderBy', 'includeArchived'];
const QUERIES: Readonly<Record<string, QueryRule>> = {
  viewer: { type: 'User', takes: [] },
  organization: { type: 'Organization', takes: [] },
  issue: {
    type: 'Issue',
    takes: ['id'],
    assertScope(values, issue) {
      if (!isOwnIssue(values.get('id'), issue)) throw otherIssue(issue);
    },
  },
  issues: {
    type: 'IssueConnection',
    takes: ['filter', 'sort', ...PAGES],
    assertScope(values, issue) {
      if (!pinsOwnIssue(values.get('filter'), issue)) throw otherIssue(issue);
    },
  },
  team: {
    type: 'Team',
    takes: ['id'],
    assertScope(values, issue) {
      const id = values.get('id');
      if (!sameText(id, nativeText(issue, 'team_id')) && !sameText(id, nativeText(issue, 'team_key')))
        throw new ToolRefusal('out_of_scope', `Only the team of ${issue.identifier} can be read.`);
    },
  },
  teams: { type: 'TeamConnection', takes: ['filter', ...PAGES], assertScope: assertOwnTeamFilter },
  project: {
    type: 'Project',
    takes: ['id'],
    assertScope(values, issue) {
      if (!sameText(values.get('id'), nativeText(issue, 'project_id')))
        throw new ToolRefusal('out_of_scope', `Only the project of ${issue.identifier} can be read.`);
    },
  },
  workflowStates: { type: 'StateConnection', takes: ['filter', ...PAGES], assertScope: assertNamingFilter },
  issueLabels: { type: 'LabelConnection', takes: ['filter', ...PAGES], assertScope: assertNamingFilter },
};

/** The type a permitted root field leads to. */
export function judgeQuery(name: string, values: Values, issue: Issue): string {
  const rule = Object.hasOwn(QUERIES, name) ? QUERIES[name] : undefined;
  if (rule === undefined) {
    const known = Object.keys(QUERIES).join(', ');
    throw new ToolRefusal(
      'query_not_allowed',
      `The query ${name} is not available here. Available: ${known}.`,
    );
  }
  for (const argument of values.keys()) {
    if (!rule.takes.includes(argument))
      throw new ToolRefusal('argument_not_allowed', `${name} does not take ${argument} here.`);
  }
  rule.assertScope?.(values, issue);
  return rule.type;
}

function otherIssue(issue: Issue): ToolRefusal {
  return new ToolRefusal('out_of_scope', `Only ${issue.identifier}, the issue of this run, can be read.`);
}
