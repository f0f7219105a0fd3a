import type { Issue } from '../../../domain/issue.ts';

/** An issue is named by its id or its identifier. */
export function isOwnIssue(value: unknown, issue: Issue): boolean {
  return typeof value === 'string' && (value === issue.id || sameText(value, issue.identifier));
}

export function sameText(value: unknown, text: string | null): boolean {
  return typeof value === 'string' && text !== null && value.toLowerCase() === text.toLowerCase();
}

export function nativeText(issue: Issue, key: string): string | null {
  const value = issue.nativeRef?.[key];
  return typeof value === 'string' && value !== '' ? value : null;
}
