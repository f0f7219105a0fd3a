import type { Clock } from '../../domain/clock.ts';
import { type Repository, repositoryPath } from '../../domain/repository.ts';
import { includesState } from '../../domain/state-name.ts';
import { readPages } from '../../http/pages/paging.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import type { ForgeListing, ForgeReads, RecordOutcome } from '../forge/reading/forge-reads.ts';
import type { ListQuery } from '../forge/reading/list-query.ts';

import { recordsIn } from '../forge/rest/dialect.ts';
import { createRestReads } from '../forge/rest/rest-reads.ts';
import { GITEA } from './dialect.ts';
import { parseIssue } from './normalize.ts';
import { type Changes, createRefresh } from './refresh.ts';

export interface GiteaClientOptions {
  readonly http: ApiHttp;
  readonly repository: Repository;
  readonly maxPages: number;
  readonly clock: Clock;
}

const PAGE_SIZE = 50;

/** Reads of one repository of Gitea or Forgejo. */
export function createGiteaClient({ http, repository, maxPages, clock }: GiteaClientOptions): ForgeReads {
  const root = repositoryPath(repository);
  const reads = createRestReads({ http, repository, dialect: GITEA, blockersPath: '/dependencies' });
  const refresh = createRefresh({ read: readOne, changedSince }, clock);

  async function list(
    { label, state }: ListQuery,
    signal: AbortSignal,
    pageLimit = maxPages,
  ): Promise<ForgeListing> {
    const filter = label === null ? '' : `&labels=${encodeURIComponent(label)}`;
    const path = `${root}/issues?type=issues&state=${state}${filter}`;
    const bounds = { pageSize: PAGE_SIZE, maxPages: Math.min(maxPages, pageLimit) };
    const { items, capped } = await readPages(http, {
      path,
      sizeParameter: 'limit',
      ...bounds,
      purpose: 'poll',
      signal,
    });
    const { records, malformed } = recordsIn(items, repository, GITEA);
    refresh.observe(records);
    // The filter is ignored by the server when no label has this name.
    const labelled = records.filter((record) => label === null || includesState(record.labels, label));
    return { records: labelled, malformed, capped };
  }

  async function changedSince(instant: Date, signal: AbortSignal): Promise<Changes> {
    const path = `${root}/issues?type=issues&state=all&since=${instant.toISOString()}`;
    const pages = { sizeParameter: 'limit', pageSize: PAGE_SIZE, maxPages: 1 } as const;
    const { items, capped } = await readPages(http, { path, ...pages, purpose: 'refresh', signal });
    const { records, malformed } = recordsIn(items, repository, GITEA);
    return { records, complete: !capped && malformed.length === 0 };
  }

  async function readOne(number: number, signal: AbortSignal): Promise<RecordOutcome> {
    const json = await reads.readOptional(`/issues/${number}`, 'refresh', signal);
    if (json === undefined) return { kind: 'absent' };
    const parsed = parseIssue(json, repository);
    if (parsed.kind === 'pull_request') return { kind: 'absent' };
    if (parsed.kind === 'record' && parsed.record.number === number) return parsed;
    return { kind: 'unknown', reason: 'Gitea gave no usable issue' };
  }

  return {
    ...reads,
    beginPoll: () => http.governor.beginPoll(),
    list,
    claims: null,
    async refresh(numbers, signal) {
      const outcomes = await refresh.read(numbers, signal);
      // A repository that cannot be seen makes every issue look gone.
      if ([...outcomes.values()].some((outcome) => outcome.kind === 'absent')) {
        await http.request({ path: root, purpose: 'refresh', signal });
      }
      return outcomes;
    },
  };
}
