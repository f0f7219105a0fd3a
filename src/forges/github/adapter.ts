import { isRecord } from '../../domain/is-record.ts';
import type { Repository } from '../../domain/repository.ts';
import { AppError } from '../../errors/app-error.ts';
import { createGithubHttp } from '../../http/github.ts';
import { type GraphqlAnswer, postGraphql } from '../../http/graphql.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import { type SendToRepository, sendToRepository } from '../../http/request/repository-request.ts';
import { ToolRefusal } from '../../tools/tool-kit.ts';
import type { ForgeOptions } from '../connection.ts';
import { unusableAnswer } from '../connection.ts';
import type { Forge, NewPullRequest, PullRequest, PullRequestDetails } from '../forge.ts';
import {
  alreadyOpen,
  branchNotPushed,
  noSuchBase,
  nothingToReview,
  refused,
  reviewersBody,
  wordsOf,
} from '../refusals.ts';
import { comesFrom } from '../rest/rest-pull.ts';
import { CONVERT_TO_DRAFT, INSPECT, MARK_READY, SIZES } from './documents.ts';
import { detailsOf, pullRequestOf } from './normalize.ts';
import { GithubPull, PullNode } from './schema.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Pull requests of one repository on GitHub or GitHub Enterprise Server. */
export function createGithubForge(options: ForgeOptions): Forge {
  const { repository, endpoint } = options;
  const http = createGithubHttp(options, endpoint);
  const graphql = createGithubHttp(options, endpoint.replace(/\/v3$/, ''));
  const toRepository = sendToRepository(http, repository);
  const send: SendToRepository = (method, path, signal, more = {}) =>
    toRepository(method, path, signal, { maxBytes: MAX_BYTES, ...more });

  return {
    kind: 'github',
    repository,
    redact: http.redact,
    async find(branch, signal) {
      const head = encodeURIComponent(`${repository.owner}:${branch}`);
      const path = `/pulls?state=all&head=${head}&sort=created&direction=desc&per_page=50`;
      const { json } = await send('GET', path, signal);
      if (!Array.isArray(json)) throw unusableAnswer('GitHub', 'the list of pull requests');
      const own = json.flatMap((entry: unknown) => {
        const pull = GithubPull.safeParse(entry).data;
        return pull !== undefined && comesFrom(pull, branch, repository) ? [pullRequestOf(pull)] : [];
      });
      return own.find(({ state }) => state === 'open') ?? own[0] ?? null;
    },
    async open(request, signal) {
      const { branch: head, base, title, body, draft } = request;
      const there = await send('GET', `/branches/${encodeURIComponent(head)}`, signal, { expected: [404] });
      if (there.status === 404) throw branchNotPushed(request);
      const { status, json } = await send('POST', '/pulls', signal, {
        body: { title, body, head, base, draft },
        expected: [422],
      });
      if (status === 422) throw refusalOf(request, json);
      return parsePull(json);
    },
    async update(pull, { draft, ...texts }, signal) {
      if (draft !== undefined && draft !== pull.draft) await setDraft(graphql, pull, draft, signal);
      const path = `/pulls/${pull.number}`;
      const changes = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
      const { status, json } =
        Object.keys(changes).length === 0
          ? await send('GET', path, signal)
          : await send('PATCH', path, signal, { body: changes, expected: [422] });
      if (status === 422) throw refused('the change', status, json);
      return parsePull(json);
    },
    async requestReviews(pull, reviewers, signal) {
      const { status, json } = await send('POST', `/pulls/${pull.number}/requested_reviewers`, signal, {
        body: reviewersBody(reviewers, repository),
        expected: [422],
      });
      if (status === 422) throw refused('these reviewers', status, json);
    },
    inspect: ({ number }, signal) => inspectPull(graphql, repository, number, signal),
  };
}

async function setDraft(
  graphql: ApiHttp,
  { nativeId }: PullRequest,
  draft: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { errors } = await postGraphql(graphql, {
    path: '/graphql',
    query: draft ? CONVERT_TO_DRAFT : MARK_READY,
    variables: { id: nativeId },
    purpose: 'tool',
    meter: 'graphql',
    signal,
    idempotent: true,
  });
  const [first] = errors;
  if (first !== undefined)
    throw new ToolRefusal('forge_refused', `GitHub did not change whether it is a draft: ${first.message}`);
}

/** One query; a smaller one when the answer is too large. */
async function inspectPull(
  graphql: ApiHttp,
  { owner, name }: Repository,
  number: number,
  signal: AbortSignal,
): Promise<PullRequestDetails> {
  const ask = (sizes: (typeof SIZES)[number]): Promise<GraphqlAnswer> =>
    postGraphql(graphql, {
      path: '/graphql',
      query: INSPECT,
      variables: { owner, name, number, ...sizes },
      purpose: 'tool',
      meter: 'graphql',
      signal,
      idempotent: true,
      maxBytes: MAX_BYTES,
    });
  const [usual, small] = SIZES;
  const { data, errors } = await ask(usual).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.context['tooLarge'] !== true) throw error;
    return ask(small);
  });
  const found = isRecord(data?.['repository']) ? data['repository']['pullRequest'] : null;
  const parsed = PullNode.safeParse(found);
  if (!parsed.success)
    throw unusableAnswer('GitHub', `#${number}${errors[0] ? ` (${errors[0].message})` : ''}`);
  const unreadable = errors.flatMap(({ path }) => partOf(path));
  return detailsOf(parsed.data, [...new Set(unreadable)]);
}

function parsePull(json: unknown): PullRequest {
  const parsed = GithubPull.safeParse(json);
  if (parsed.success) return pullRequestOf(parsed.data);
  throw unusableAnswer('GitHub', 'the pull request');
}

function refusalOf(request: NewPullRequest, answer: unknown): ToolRefusal {
  const words = wordsOf(answer);
  if (/already exists/i.test(words)) return alreadyOpen(request);
  if (/no commits between/i.test(words)) return nothingToReview(request);
  if (/\bhead invalid\b/i.test(words)) return branchNotPushed(request);
  if (/\bbase invalid\b/i.test(words)) return noSuchBase(request);
  return refused('the pull request', 422, answer);
}

/** The part of the query that an error is about, in words. */
function partOf(path: readonly (string | number)[]): readonly string[] {
  if (path.includes('statusCheckRollup')) return ['checks'];
  const part = path[2];
  return typeof part === 'string' ? [part] : [];
}
