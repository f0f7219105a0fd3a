import type { Clock } from '../../domain/clock.ts';
import { includesState } from '../../domain/state-name.ts';
import { AppError } from '../../errors/app-error.ts';
import type { ForgeListing, ForgeReads, RecordOutcome } from '../forge/client.ts';
import type { ListQuery } from '../forge/listing.ts';
import { readPages } from '../forge/paging.ts';
import type { ForgeRecord, Repository } from '../forge/record.ts';
import type { Purpose } from '../http/governor.ts';
import type { TrackerHttp } from '../http/tracker-http.ts';
import { parseBlocker, parseIssue } from './normalize.ts';
import { type Changes, createRefresh } from './refresh.ts';
import { Viewer } from './schema.ts';

export interface GiteaClientOptions {
  readonly http: TrackerHttp;
  readonly repository: Repository;
  readonly maxPages: number;
  readonly clock: Clock;
}

const PAGE_SIZE = 50;
const GONE = [404, 410];
/** The answer of a repository without dependencies. */
const UNSUPPORTED = [404];

/** Reads of one repository of Gitea or Forgejo. */
export function createGiteaClient({ http, repository, maxPages, clock }: GiteaClientOptions): ForgeReads {
  const root = repositoryPath(repository);

  const refresh = createRefresh({ read: readOne, changedSince }, clock);

  async function list({ label, state }: ListQuery, signal: AbortSignal): Promise<ForgeListing> {
    const filter = label === null ? '' : `&labels=${encodeURIComponent(label)}`;
    const path = `${root}/issues?type=issues&state=${state}${filter}`;
    const pages = { sizeParameter: 'limit', pageSize: PAGE_SIZE, maxPages } as const;
    const { items, capped } = await readPages(http, { path, ...pages, purpose: 'poll', signal });
    const { records, malformed } = recordsIn(items, repository);
    refresh.observe(records);
    // The filter is ignored by the server when no label has this name.
    const labelled = records.filter((record) => label === null || includesState(record.labels, label));
    return { records: labelled, malformed, capped };
  }

  async function changedSince(instant: Date, signal: AbortSignal): Promise<Changes> {
    const path = `${root}/issues?type=issues&state=all&since=${instant.toISOString()}`;
    const pages = { sizeParameter: 'limit', pageSize: PAGE_SIZE, maxPages: 1 } as const;
    const { items, capped } = await readPages(http, { path, ...pages, purpose: 'refresh', signal });
    const { records, malformed } = recordsIn(items, repository);
    return { records, complete: !capped && malformed.length === 0 };
  }

  async function readOptional(path: string, purpose: Purpose, signal: AbortSignal): Promise<unknown> {
    const response = await http.request({ path: `${root}${path}`, purpose, signal, expected: GONE });
    return GONE.includes(response.status) ? undefined : response.json;
  }

  async function readOne(number: number, signal: AbortSignal): Promise<RecordOutcome> {
    const json = await readOptional(`/issues/${number}`, 'refresh', signal);
    if (json === undefined) return { kind: 'absent' };
    const parsed = parseIssue(json, repository);
    if (parsed.kind === 'pull_request') return { kind: 'absent' };
    if (parsed.kind === 'record' && parsed.record.number === number) return parsed;
    return { kind: 'unknown', reason: 'Gitea gave no usable issue' };
  }

  return {
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
    async dependencies(number, purpose, signal) {
      const path = `${root}/issues/${number}/dependencies`;
      const { status, json } = await http.request({ path, purpose, signal, expected: UNSUPPORTED });
      if (status === 404) return null;
      if (json === null) return [];
      if (!Array.isArray(json)) throw unusable(`the dependencies of #${number}`);
      return json.map((entry) => {
        const blocker = parseBlocker(entry, repository);
        if (blocker === null) throw unusable(`a dependency of #${number}`);
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

function recordsIn(
  items: readonly unknown[],
  repository: Repository,
): { readonly records: readonly ForgeRecord[]; readonly malformed: readonly number[] } {
  const records: ForgeRecord[] = [];
  const malformed: number[] = [];
  for (const item of items) {
    const parsed = parseIssue(item, repository);
    if (parsed.kind === 'malformed') malformed.push(parsed.number);
    if (parsed.kind === 'record') records.push(parsed.record);
  }
  return { records, malformed };
}

export function repositoryPath({ owner, name }: Repository): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

export function unusable(what: string): AppError {
  return new AppError('tracker_response', `Gitea gave something unusable for ${what}.`, {
    hint: 'Check that tracker.endpoint is the address of a Gitea or Forgejo server.',
  });
}
