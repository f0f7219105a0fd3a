import { closingReferences } from '../../domain/issue-references.ts';
import { type Repository, repositoryPath } from '../../domain/repository.ts';
import { readPages } from '../../http/pages/paging.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import type { ForgeListing, ForgeReads, PullRequestClaims } from '../forge/reading/forge-reads.ts';
import type { ListQuery } from '../forge/reading/list-query.ts';
import { recordsIn } from '../forge/rest/dialect.ts';
import { createRestReads } from '../forge/rest/rest-reads.ts';
import { RestPullRequest } from '../forge/rest/schema.ts';
import { GITHUB } from './dialect.ts';
import { createRefresh } from './refresh.ts';

export interface GithubClientOptions {
  readonly http: ApiHttp;
  /** Its base is the address that `/graphql` is appended to; another one on GitHub Enterprise Server. */
  readonly graphql: ApiHttp;
  readonly repository: Repository;
  readonly maxPages: number;
  /** Whether open pull requests hold back the issues they would close. */
  readonly claims: boolean;
}

const PAGE_SIZE = 100;
const BLOCKERS_PATH = `/dependencies/blocked_by?per_page=${PAGE_SIZE}`;

/** Reads of one repository, over REST with conditional requests and one GraphQL query for refreshes. */
export function createGithubClient(options: GithubClientOptions): ForgeReads {
  const { http, repository, maxPages } = options;
  const root = repositoryPath(repository);
  /** What the last listing said, because GraphQL does not say it. */
  const openBlockers = new Map<number, number | null>();
  const refresh = createRefresh(options.graphql, repository, (number) => openBlockers.get(number) ?? null);
  const reads = createRestReads({ http, repository, dialect: GITHUB, blockersPath: BLOCKERS_PATH });
  const pages = { sizeParameter: 'per_page', pageSize: PAGE_SIZE, maxPages } as const;

  async function list(query: ListQuery, signal: AbortSignal, pageLimit = maxPages): Promise<ForgeListing> {
    const label = query.label === null ? '' : `&labels=${encodeURIComponent(query.label)}`;
    const path = `${root}/issues?state=${query.state}${label}&sort=created&direction=asc`;
    const bounds = { ...pages, maxPages: Math.min(maxPages, pageLimit) };
    const { items, capped } = await readPages(http, { path, ...bounds, purpose: 'poll', signal });
    const { records, malformed } = recordsIn(items, repository, GITHUB);
    for (const record of records) openBlockers.set(record.number, record.openBlockers);
    return { records, malformed, capped };
  }

  async function claims(signal: AbortSignal): Promise<PullRequestClaims> {
    const path = `${root}/pulls?state=open&sort=created&direction=asc`;
    const { items, capped } = await readPages(http, { path, ...pages, purpose: 'poll', signal });
    const byIssue = new Map<number, number>();
    for (const item of items) {
      const parsed = RestPullRequest.safeParse(item);
      if (!parsed.success) continue;
      const { number, title, body } = parsed.data;
      for (const issue of closingReferences(`${title ?? ''}\n\n${body ?? ''}`, repository)) {
        if (!byIssue.has(issue)) byIssue.set(issue, number);
      }
    }
    return { byIssue, capped };
  }

  return {
    ...reads,
    beginPoll() {
      http.governor.beginPoll();
      if (openBlockers.size > 10_000) openBlockers.clear();
    },
    list,
    refresh,
    claims: options.claims ? claims : null,
  };
}
