import type { Author } from '../../domain/issue.ts';
import type { Repository } from '../../domain/repository.ts';
import type { BlockerRecord } from '../forge/record.ts';
import { malformed, type ParsedIssue } from '../forge/rest/dialect.ts';
import { GiteaIssue } from './schema.ts';

export function parseIssue(json: unknown, repository: Repository): ParsedIssue {
  const parsed = GiteaIssue.safeParse(json);
  if (!parsed.success || parsed.data.title.trim() === '') return malformed(json);
  const issue = parsed.data;
  if (issue.pull_request !== undefined && issue.pull_request !== null) return { kind: 'pull_request' };
  const assigned = issue.assignees ?? [issue.assignee];
  return {
    kind: 'record',
    record: {
      number: issue.number,
      title: issue.title.trim(),
      body: issue.body ?? null,
      closed: issue.state === 'closed',
      labels: namesOf(issue),
      assignees: assigned.flatMap((user) => user?.login ?? []),
      author: authorOf(issue),
      url: issue.html_url ?? null,
      createdAt: issue.created_at ?? null,
      updatedAt: issue.updated_at ?? null,
      openBlockers: null,
      nativeRef: {
        id: issue.id ?? null,
        number: issue.number,
        repo: `${repository.owner}/${repository.name}`,
        author: issue.user?.login ?? null,
      },
    },
  };
}

/** The server shows a migrated text as written by whoever migrated it; its real author is somebody on another server. */
export function authorOf({
  user,
  original_author: original,
}: Pick<GiteaIssue, 'user' | 'original_author'>): Author | null {
  const isOwn = user !== null && user !== undefined && (original ?? '') === '';
  return isOwn ? { names: [user.login], association: null } : null;
}

/** A blocker may live in another repository; null when the entry is not usable. */
export function parseBlocker(json: unknown, repository: Repository): BlockerRecord | null {
  const parsed = GiteaIssue.safeParse(json);
  if (!parsed.success) return null;
  const { number, state, repository: home } = parsed.data;
  return { repository: home ?? repository, number, closed: state === 'closed', labels: namesOf(parsed.data) };
}

function namesOf({ labels }: GiteaIssue): readonly string[] {
  return labels.map((label) => label.name);
}
