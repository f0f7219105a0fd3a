import type { Repository } from '../../domain/repository.ts';
import { createGiteaHttp } from '../../http/gitea.ts';
import { type SendToRepository, sendToRepository } from '../../http/request/repository-request.ts';
import type { ForgeOptions } from '../connection.ts';
import { unusableAnswer } from '../connection.ts';
import type { Forge, PullRequest } from '../forge.ts';
import {
  alreadyOpen,
  branchNotPushed,
  noSuchBase,
  nothingToReview,
  refused,
  reviewersBody,
} from '../refusals.ts';
import { comesFrom } from '../rest/rest-pull.ts';
import { inspectPull } from './inspect.ts';
import { draftTitle, pullRequestOf } from './normalize.ts';
import { GiteaPull } from './schema.ts';

const PAGE = 50;
/** Sorted by the last change, what an agent looks for is on the first page; the rest guards against a second one. */
const MAX_PAGES = { open: 10, closed: 2 } as const;
const REFUSALS = [403, 404, 409, 412, 422];

/** Pull requests of one repository on Gitea or Forgejo. */
export function createGiteaForge(options: ForgeOptions): Forge {
  const { repository } = options;
  const http = createGiteaHttp(options);
  const send = sendToRepository(http, repository);

  return {
    kind: 'gitea',
    repository,
    redact: http.redact,
    find: async (branch, signal) =>
      (await findIn(send, repository, 'open', branch, signal)) ??
      (await findIn(send, repository, 'closed', branch, signal)),
    async open(request, signal) {
      const { branch: head, base, title, body, draft } = request;
      if (!(await exists(send, head, signal))) throw branchNotPushed(request);
      if (!(await exists(send, base, signal))) throw noSuchBase(request);
      if (!(await hasNews(send, head, base, signal))) throw nothingToReview(request);
      const { status, json } = await send('POST', '/pulls', signal, {
        body: { title: draft ? draftTitle(title, true) : title, body, head, base },
        expected: REFUSALS,
      });
      if (status === 409) throw alreadyOpen(request);
      if (status >= 300) throw refused('the pull request', status, json);
      return parsePull(json);
    },
    async update(pull, { title, body, draft = pull.draft, state }, signal) {
      const retitled = title !== undefined || draft !== pull.draft;
      const { status, json } = await send('PATCH', `/pulls/${pull.number}`, signal, {
        body: {
          ...(retitled ? { title: draftTitle(title ?? pull.title, draft) } : {}),
          ...(body === undefined ? {} : { body }),
          ...(state === undefined ? {} : { state }),
        },
        expected: REFUSALS,
      });
      if (status >= 300) throw refused('the change', status, json);
      return parsePull(json);
    },
    async requestReviews(pull, reviewers, signal) {
      const { status, json } = await send('POST', `/pulls/${pull.number}/requested_reviewers`, signal, {
        body: reviewersBody(reviewers, repository),
        expected: REFUSALS,
      });
      if (status >= 300) throw refused('these reviewers', status, json);
    },
    inspect: (pull, signal) =>
      inspectPull((path) => send('GET', path, signal, { expected: [403, 404] }), pull),
  };
}

/** The pull request in this state that comes from the branch. */
async function findIn(
  send: SendToRepository,
  repository: Repository,
  state: 'open' | 'closed',
  branch: string,
  signal: AbortSignal,
): Promise<PullRequest | null> {
  for (let page = 1; page <= MAX_PAGES[state]; page += 1) {
    const path = `/pulls?state=${state}&sort=recentupdate&limit=${PAGE}&page=${page}`;
    const { json } = await send('GET', path, signal);
    if (!Array.isArray(json)) throw unusableAnswer('Gitea', 'the list of pull requests');
    for (const entry of json) {
      const pull = GiteaPull.safeParse(entry).data;
      if (pull !== undefined && comesFrom(pull, branch, repository)) return pullRequestOf(pull);
    }
    if (json.length < PAGE) return null;
  }
  return null;
}

async function exists(send: SendToRepository, branch: string, signal: AbortSignal): Promise<boolean> {
  const path = `/branches/${encodeURIComponent(branch)}`;
  return (await send('GET', path, signal, { expected: [404] })).status !== 404;
}

/** The server would make a pull request without commits. */
async function hasNews(
  send: SendToRepository,
  branch: string,
  base: string,
  signal: AbortSignal,
): Promise<boolean> {
  const query = new URLSearchParams({ sha: branch, not: base, limit: '1' });
  for (const costly of ['stat', 'verification', 'files']) query.set(costly, 'false');
  const { status, json } = await send('GET', `/commits?${query}`, signal, { expected: [404, 409, 422] });
  return status !== 200 || !Array.isArray(json) || json.length > 0;
}

function parsePull(json: unknown): PullRequest {
  const parsed = GiteaPull.safeParse(json);
  if (parsed.success) return pullRequestOf(parsed.data);
  throw unusableAnswer('Gitea', 'the pull request');
}
