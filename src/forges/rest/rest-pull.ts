import { z } from 'zod';
import { parseRepository, type Repository, sameRepository } from '../../domain/repository.ts';
import type { PullRequest } from '../forge.ts';

/** A pull request as far as the REST APIs of all forges give it alike. */
export const RestPull = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user: z.object({ login: z.string() }).nullish().catch(null),
  author_association: z.string().nullish(),
  head: z.object({
    ref: z.string(),
    sha: z.string().nullish(),
    repo: z.object({ full_name: z.string() }).nullish().catch(null),
  }),
  base: z.object({ ref: z.string() }),
  requested_reviewers: z
    .array(z.object({ login: z.string() }))
    .nullish()
    .catch(null),
});
export type RestPull = z.infer<typeof RestPull>;

/** What of it is the same on every forge. */
export function commonPullRequest(
  pull: RestPull,
  merged: boolean,
): Omit<PullRequest, 'nativeId' | 'title' | 'draft'> {
  const login = pull.user?.login;
  return {
    number: pull.number,
    url: pull.html_url,
    body: pull.body ?? '',
    state: merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    base: pull.base.ref,
    branch: pull.head.ref,
    headCommit: pull.head.sha ?? null,
    author: login === undefined ? null : { names: [login], association: pull.author_association ?? null },
    requestedReviewers: (pull.requested_reviewers ?? []).map((who) => who.login),
  };
}

/** True when it comes from this branch of this very repository, and not of a fork. */
export function comesFrom({ head }: RestPull, branch: string, repository: Repository): boolean {
  const from = parseRepository(head.repo?.full_name);
  return head.ref === branch && from !== null && sameRepository(from, repository);
}
