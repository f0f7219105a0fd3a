import { AppError } from '../../errors/app-error.ts';
import type { ForgeListing, ForgeReads, PullRequestClaims } from '../forge/client.ts';
import type { ListQuery } from '../forge/listing.ts';
import { readPages } from '../forge/paging.ts';
import type { BlockerRecord, ForgeRecord, Repository } from '../forge/record.ts';
import { closingReferences } from '../forge/references.ts';
import type { Purpose } from '../http/governor.ts';
import type { TrackerHttp } from '../http/tracker-http.ts';
import { parseBlocker, parseRestIssue } from './normalize.ts';
import { createRefresh } from './refresh.ts';
import { RestPullRequest, Viewer } from './schema.ts';

export interface GithubClientOptions {
  readonly http: TrackerHttp;
  /** Its base is the address that `/graphql` is appended to; another one on GitHub Enterprise Server. */
  readonly graphql: TrackerHttp;
  readonly repository: Repository;
  readonly maxPages: number;
  /** Whether open pull requests hold back the issues they would close. */
  readonly claims: boolean;
}

const PAGE_SIZE = 100;
const GONE = [301, 404, 410];
/** The answer of an old server, or of a repository without dependencies. */
const UNSUPPORTED = [404];

/** Reads of one repository, over REST with conditional requests and one GraphQL query for refreshes. */
export function createGithubClient(options: GithubClientOptions): ForgeReads {
  const { http, repository, maxPages } = options;
  const root = repositoryPath(repository);
  /** What the last listing said, because GraphQL does not say it. */
  const openBlockers = new Map<number, number | null>();
  const refresh = createRefresh(options.graphql, repository, (number) => openBlockers.get(number) ?? null);
  const pages = { sizeParameter: 'per_page', pageSize: PAGE_SIZE, maxPages } as const;

  async function list(query: ListQuery, signal: AbortSignal): Promise<ForgeListing> {
    const label = query.label === null ? '' : `&labels=${encodeURIComponent(query.label)}`;
    const path = `${root}/issues?state=${query.state}${label}&sort=created&direction=asc`;
    const { items, capped } = await readPages(http, { path, ...pages, purpose: 'poll', signal });
    const records: ForgeRecord[] = [];
    const malformed: number[] = [];
    for (const item of items) {
      const parsed = parseRestIssue(item, repository);
      if (parsed.kind === 'malformed') malformed.push(parsed.number);
      if (parsed.kind !== 'record') continue;
      records.push(parsed.record);
      openBlockers.set(parsed.record.number, parsed.record.openBlockers);
    }
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

  async function readOptional(path: string, purpose: Purpose, signal: AbortSignal): Promise<unknown> {
    const response = await http.request({ path: `${root}${path}`, purpose, signal, expected: GONE });
    return GONE.includes(response.status) ? undefined : response.json;
  }

  return {
    beginPoll() {
      http.governor.beginPoll();
      if (openBlockers.size > 10_000) openBlockers.clear();
    },
    list,
    refresh,
    claims: options.claims ? claims : null,
    async dependencies(number, purpose, signal): Promise<readonly BlockerRecord[] | null> {
      const path = `${root}/issues/${number}/dependencies/blocked_by?per_page=${PAGE_SIZE}`;
      const { status, json } = await http.request({ path, purpose, signal, expected: UNSUPPORTED });
      if (status === 404) return null;
      if (!Array.isArray(json)) throw unusable(`the blockers of #${number}`);
      return json.map((entry) => {
        const blocker = parseBlocker(entry, repository);
        if (blocker === null) throw unusable(`a blocker of #${number}`);
        return blocker;
      });
    },
    async issue(number, purpose, signal) {
      const json = await readOptional(`/issues/${number}`, purpose, signal);
      if (json === undefined) return null;
      const blocker = parseBlocker(json, repository);
      if (blocker === null) throw unusable(`#${number}`);
      return blocker;
    },
    async viewer(signal) {
      const { json } = await http.request({ path: '/user', purpose: 'poll', signal });
      const parsed = Viewer.safeParse(json);
      if (!parsed.success) throw unusable('the user of the token');
      return parsed.data.login;
    },
  };
}

export function repositoryPath({ owner, name }: Repository): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

export function unusable(what: string): AppError {
  return new AppError('tracker_response', `GitHub gave something unusable for ${what}.`, {
    hint: 'Check that tracker.endpoint is the REST API of GitHub.',
  });
}
