import type { LogFields } from '../../observability/logger.ts';

/** What a tracker's adapter complains about, for a person: about which issue, what, and why. */
export function describeWarning(message: string, fields: LogFields = {}): string {
  const { issue_identifier: issue, problem, error, ...others } = fields;
  const why = problem ?? error;
  const rest = Object.entries(others).map(([name, value]) => `${name}=${textOf(value)}`);
  return [
    ...(issue === undefined ? [] : [`${textOf(issue)}: `]),
    message,
    ...(why === undefined ? [] : [`: ${textOf(why)}`]),
    ...(rest.length === 0 ? [] : [` (${rest.join(' ')})`]),
  ].join('');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Error ? value.message : (JSON.stringify(value) ?? '');
}
