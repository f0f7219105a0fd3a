import { shortHash } from '../files/workspace-key.ts';

const PREFIX = 'ai/';
const MAX_LENGTH = 120;

/** The work branch of an issue: `ai/<issue id>`, with whatever git refuses in a branch name replaced. */
export function branchName(issueId: string): string {
  const cleaned = issueId
    .replace(/[^A-Za-z0-9._-]/gu, '-')
    .replace(/\.{2,}/g, '-')
    .replace(/^[.-]+/, '')
    .replace(/(\.lock|[.-])+$/i, '')
    .slice(0, MAX_LENGTH)
    .replace(/[.-]+$/, '');
  if (cleaned === issueId && cleaned !== '') return PREFIX + issueId;
  return `${PREFIX}${cleaned === '' ? 'issue' : cleaned}-${shortHash(issueId)}`;
}
