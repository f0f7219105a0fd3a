import { isRecord } from '../../../../domain/is-record.ts';
import type { Issue } from '../../../../domain/issue.ts';
import { ToolRefusal } from '../../../../tools/tool-kit.ts';
import { isOwnIssue, nativeText, sameText } from '../own-issue.ts';
import type { Values } from './values.ts';

/** Keys that name a state or a label; through others a filter could probe what issues say. */
const NAMING_KEYS = new Set(['id', 'name', 'type', 'key', 'team', 'position', 'and', 'or']);
const COMPARATORS = new Set(['eq', 'neq', 'in', 'nin', 'eqIgnoreCase', 'neqIgnoreCase', 'contains', 'null']);

/** `{eq: x}` or `{in: [x, …]}` with nothing but accepted values. */
function pins(comparator: Readonly<Record<string, unknown>>, accepts: (value: unknown) => boolean): boolean {
  const entries = Object.entries(comparator);
  const [first] = entries;
  if (first === undefined || entries.length > 1) return false;
  const [operator, value] = first;
  if (operator === 'eq') return accepts(value);
  return operator === 'in' && Array.isArray(value) && value.length > 0 && value.every(accepts);
}

/** By id, or by the number in its team. Alternatives are refused: they could widen the filter. */
export function pinsOwnIssue(filter: unknown, issue: Issue): boolean {
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

export function assertNamingFilter(values: Values): void {
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

/** By key or id, and by nothing else. */
export function assertOwnTeamFilter(values: Values, issue: Issue): void {
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
