import { includesState } from '../../domain/state-name.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { ForgeListing, ForgeReads, RecordOutcome } from '../forge/client.ts';
import type { ListQuery } from '../forge/listing.ts';
import { readPages } from '../forge/paging.ts';
import type { ForgeRecord, Repository } from '../forge/record.ts';
import type { Purpose } from '../http/governor.ts';
import type { TrackerHttp } from '../http/tracker-http.ts';
import { parseBlocker, parseIssue } from './normalize.ts';
import { Viewer } from './schema.ts';

export interface GiteaClientOptions {
  readonly http: TrackerHttp;
  readonly repository: Repository;
  readonly maxPages: number;
}

const PAGE_SIZE = 50;
const GONE = [404, 410];
/** Issues read at the same time in a refresh. */
const ABREAST = 4;

/** Reads of one repository of Gitea or Forgejo. */
export function createGiteaClient({ http, repository, maxPages }: GiteaClientOptions): ForgeReads {
  const root = repositoryPath(repository);

  async function list({ label, state }: ListQuery, signal: AbortSignal): Promise<ForgeListing> {
    const filter = label === null ? '' : `&labels=${encodeURIComponent(label)}`;
    const { items, capped } = await readPages(http, {
      path: `${root}/issues?type=issues&state=${state}${filter}`,
      sizeParameter: 'limit',
      pageSize: PAGE_SIZE,
      maxPages,
      purpose: 'poll',
      signal,
    });
    const records: ForgeRecord[] = [];
    const malformed: number[] = [];
    for (const item of items) {
      const parsed = parseIssue(item, repository);
      if (parsed.kind === 'malformed') malformed.push(parsed.number);
      // The filter is ignored by the server when no label has this name.
      else if (parsed.kind === 'record' && (label === null || includesState(parsed.record.labels, label)))
        records.push(parsed.record);
    }
    return { records, malformed, capped };
  }

  async function readOptional(path: string, purpose: Purpose, signal: AbortSignal): Promise<unknown> {
    const response = await http.request({ path: `${root}${path}`, purpose, signal, expected: GONE });
    return GONE.includes(response.status) ? undefined : response.json;
  }

  async function refreshOne(number: number, signal: AbortSignal): Promise<RecordOutcome> {
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
      const outcomes = new Map<number, RecordOutcome>();
      const failures: unknown[] = [];
      for (let start = 0; start < numbers.length; start += ABREAST) {
        const some = numbers.slice(start, start + ABREAST);
        const read = await Promise.allSettled(some.map((number) => refreshOne(number, signal)));
        for (const [index, result] of read.entries()) {
          const number = some[index] ?? 0;
          if (result.status === 'fulfilled') outcomes.set(number, result.value);
          else {
            failures.push(result.reason);
            outcomes.set(number, { kind: 'unknown', reason: messageOf(result.reason) });
          }
        }
        if (failures.some(isFinal)) break;
      }
      if (failures.length > 0 && failures.length === outcomes.size) throw failures[0];
      // A repository that cannot be seen makes every issue look gone.
      if ([...outcomes.values()].some((outcome) => outcome.kind === 'absent')) {
        await http.request({ path: root, purpose: 'refresh', signal });
      }
      return outcomes;
    },
    async dependencies(number, purpose, signal) {
      const json = await readOptional(`/issues/${number}/dependencies`, purpose, signal);
      if (json === undefined) return null;
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

/** After a rate limit or a cancelled call there is no sense in asking on. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && ['tracker_rate_limited', 'tracker_request'].includes(error.code);
}

export function repositoryPath({ owner, name }: Repository): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

export function unusable(what: string): AppError {
  return new AppError('tracker_response', `Gitea gave something unusable for ${what}.`, {
    hint: 'Check that tracker.endpoint is the address of a Gitea or Forgejo server.',
  });
}
