import type { Issue } from '../../../domain/issue.ts';
import type { Values } from '../../tool-guard/graphql/values.ts';
import { isOwnIssue, isRecord, nativeText, sameText } from '../../tool-guard/own-issue.ts';
import { ToolRefusal } from '../../tool-guard/tool-kit.ts';

interface QueryRule {
  readonly type: string;
  /** Argument names that may be used; values are judged by `assertScope`. */
  readonly takes: readonly string[];
  assertScope?(values: Values, issue: Issue): void;
}

const PAGES = ['first', 'last', 'after', 'before', 'orderBy', 'includeArchived'];
/** Keys that name a state or a label; through others a filter could probe what issues say. */
const NAMING_KEYS = new Set(['id', 'name', 'type', 'key', 'team', 'position', 'and', 'or']);
const COMPARATORS = new Set(['eq', 'neq', 'in', 'nin', 'eqIgnoreCase', 'neqIgnoreCase', 'contains', 'null']);

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

/** By id, or by the number in its team. Alternatives are refused: they could widen the filter. */
function pinsOwnIssue(filter: unknown, issue: Issue): boolean {
  if (!isRecord(filter)) return false;
  const { id, number, team, ...others } = filter;
  if (Object.keys(others).length > 0) return false;
  if (id !== undefined) {
    return (
      number === undefined &&
      team === undefined &&
      isRecord(id) &&
      pins(id, (value) => isOwnIssue(value, issue))
    );
  }
  const [, key, digits] = /^(.+)-(\d+)$/.exec(issue.identifier) ?? [];
  return (
    isRecord(number) &&
    pins(number, (value) => value === Number(digits)) &&
    isRecord(team) &&
    Object.keys(team).length === 1 &&
    isRecord(team['key']) &&
    pins(team['key'], (value) => sameText(value, key ?? null))
  );
}

/** `{eq: x}` or `{in: [x, …]}` with nothing but accepted values. */
function pins(comparator: Readonly<Record<string, unknown>>, accepts: (value: unknown) => boolean): boolean {
  const entries = Object.entries(comparator);
  const [first] = entries;
  if (first === undefined || entries.length > 1) return false;
  const [operator, value] = first;
  if (operator === 'eq') return accepts(value);
  return operator === 'in' && Array.isArray(value) && value.length > 0 && value.every(accepts);
}

function assertOwnTeamFilter(values: Values, issue: Issue): void {
  const filter = values.get('filter');
  const [entry, second] = isRecord(filter) ? Object.entries(filter) : [];
  const own = entry?.[0] === 'key' ? nativeText(issue, 'team_key') : nativeText(issue, 'team_id');
  const isPinned =
    entry !== undefined &&
    second === undefined &&
    (entry[0] === 'key' || entry[0] === 'id') &&
    isRecord(entry[1]) &&
    pins(entry[1], (value) => sameText(value, own));
  if (!isPinned) throw new ToolRefusal('out_of_scope', `Only the team of ${issue.identifier} can be read.`);
}

function assertNamingFilter(values: Values): void {
  const filter = values.get('filter');
  if (filter !== undefined && !isNamingFilter(filter, 0))
    throw new ToolRefusal('argument_not_allowed', 'Filter by id, name, type or team only.');
}

function isNamingFilter(value: unknown, depth: number): boolean {
  if (depth > 6) return false;
  if (Array.isArray(value)) return value.every((entry) => isNamingFilter(entry, depth + 1));
  if (!isRecord(value)) return true;
  return Object.entries(value).every(
    ([key, inner]) => (NAMING_KEYS.has(key) || COMPARATORS.has(key)) && isNamingFilter(inner, depth + 1),
  );
}
