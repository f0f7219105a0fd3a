import {
  addPull,
  type FakeCheck,
  type FakeText,
  HEAD_SHA,
  pullOf,
  pullsOf,
  REVIEWERS,
  type WantedPull,
  whyNot,
} from '../forge/pulls.ts';
import type { RepositoryRoutes } from '../forge/routes.ts';
import { type FakeAnswer, type FakeForge, page } from '../forge/server.ts';
import type { FakeIssue, ForgeStore } from '../forge/store.ts';
import { pullJson } from './render.ts';

const REPO = '/repos/{owner}/{repo}';
const PULL = `${REPO}/pulls/{pull_number}`;

function invalid(...errors: readonly object[]): FakeAnswer {
  return {
    status: 422,
    body: { message: 'Validation Failed', errors, documentation_url: 'x', status: '422' },
  };
}

/** As GitHub words it. */
function refusal(wanted: WantedPull, why: NonNullable<ReturnType<typeof whyNot>>): FakeAnswer {
  const { head, base } = wanted;
  if (why === 'head' || why === 'base')
    return invalid({ resource: 'PullRequest', field: why, code: 'invalid' });
  const message =
    why === 'exists'
      ? `A pull request already exists for octo:${head}.`
      : `No commits between ${base} and ${head}`;
  return invalid({ resource: 'PullRequest', code: 'custom', message });
}

export function definePulls(fake: FakeForge, { inRepo, onPull }: RepositoryRoutes): void {
  const { store } = fake;
  fake.on(
    `get ${REPO}/pulls`,
    inRepo((request) => {
      const head = request.query.get('head');
      const found = pullsOf(store, request.query.get('state') ?? 'open').filter(
        ({ pull }) => head === null || `${pull?.headRepository.split('/')[0]}:${pull?.head}` === head,
      );
      const sorted = request.query.get('direction') === 'asc' ? found.toReversed() : found;
      const items = sorted.map((issue) => pullJson(issue, false));
      return page(request, items, 'per_page', 100, `${fake.origin}/elsewhere`);
    }),
  );
  fake.on(
    `get ${PULL}`,
    onPull((pull) => ({ status: 200, body: pullJson(pull, true) })),
  );
  fake.on(
    `get ${REPO}/branches/{branch}`,
    inRepo(({ path }) => {
      if (store.branches !== null && !store.branches.has(path['branch'] ?? ''))
        return { status: 404, body: { message: 'Branch not found' } };
      return { status: 200, body: fake.example(`get ${REPO}/branches/{branch}`) };
    }),
  );
  defineWrites(fake, { inRepo, onPull });
}

function defineWrites(
  fake: FakeForge,
  { inRepo, onPull }: Pick<RepositoryRoutes, 'inRepo' | 'onPull'>,
): void {
  const { store } = fake;
  fake.on(
    `post ${REPO}/pulls`,
    inRepo(({ body }) => {
      const wanted = body as WantedPull;
      const why = whyNot(store, wanted);
      return why === null
        ? { status: 201, body: pullJson(addPull(store, wanted), true) }
        : refusal(wanted, why);
    }),
  );
  fake.on(
    `patch ${PULL}`,
    onPull((issue, { body }) => {
      const change = body as { title?: string; body?: string; state?: string };
      if (change.state === 'open' && pullOf(issue).merged === true)
        return invalid({ resource: 'PullRequest', code: 'invalid', field: 'state' });
      store.change(issue.number, (it) => {
        it.title = change.title ?? it.title;
        it.body = change.body ?? it.body;
        if (change.state !== undefined) it.closed = change.state === 'closed';
      });
      return { status: 200, body: pullJson(issue, true) };
    }),
  );
  fake.on(
    `post ${PULL}/requested_reviewers`,
    onPull((issue, { body }) => {
      const { reviewers = [] } = body as { reviewers?: string[] };
      if (store.branches !== null && reviewers.some((name) => !REVIEWERS.includes(name)))
        return {
          status: 422,
          body: {
            message: 'Reviews may only be requested from collaborators.',
            documentation_url: 'x',
            errors: [{ code: 'invalid', resource: 'PullRequest' }],
          },
        };
      pullOf(issue).reviewers = reviewers;
      return { status: 201, body: pullJson(issue, false) };
    }),
  );
}

interface DraftInput {
  readonly input: { readonly pullRequestId: string };
}

/** Whether a pull request is a draft changes through GraphQL only. */
export function draftMutations(store: ForgeStore): object {
  const set =
    (draft: boolean) =>
    ({ input }: DraftInput): object => {
      const issue = store.issues.get(Number(input.pullRequestId.replace('PR_', '')));
      if (issue === undefined) throw new Error('Could not resolve to a node with the global id');
      pullOf(issue).draft = draft;
      return { pullRequest: { number: issue.number, isDraft: draft } };
    };
  return { convertPullRequestToDraft: set(true), markPullRequestReadyForReview: set(false) };
}

export function graphqlPull(store: ForgeStore, number: number): object {
  const issue = store.issues.get(number);
  if (issue === undefined || issue.pull === null)
    throw new Error(`Could not resolve to a PullRequest with the number of ${number}.`);
  const { mergeable = null, reviewers = [], checks = [], reviews = [], threads = [] } = issue.pull;
  return {
    number,
    isDraft: issue.pull.draft ?? false,
    mergeable: mergeable === null ? 'UNKNOWN' : mergeable ? 'MERGEABLE' : 'CONFLICTING',
    reviewDecision: reviews.some(({ state }) => state === 'CHANGES_REQUESTED') ? 'CHANGES_REQUESTED' : null,
    headRefOid: HEAD_SHA,
    reviewRequests: {
      nodes: reviewers.map((login) => ({ requestedReviewer: { __typename: 'User', login } })),
    },
    reviews: newest(reviews.map((review) => ({ ...written(review), state: review.state, submittedAt: AT }))),
    reviewThreads: newest(
      threads.map(({ resolved, path, line, comments }) => ({
        isResolved: resolved,
        isOutdated: false,
        path,
        line,
        comments: newest(comments.map(written)),
      })),
    ),
    comments: newest(issue.comments.map(written)),
    commits: {
      nodes: [{ commit: { oid: HEAD_SHA, statusCheckRollup: () => rollup(store, issue, checks) } }],
    },
  };
}

const AT = '2026-03-01T10:00:00Z';

type Last = { readonly last?: number };

/** A connection that gives the last ones, as it is asked to. */
function newest(nodes: readonly object[]): (last: Last) => object {
  return ({ last = nodes.length }) => ({ totalCount: nodes.length, nodes: nodes.slice(-last) });
}

function written({ author, association = 'OWNER', body }: FakeText): object {
  return { author: graphqlActor(author), authorAssociation: association, body, createdAt: AT };
}

/** An application has no ending to its login here. */
export function graphqlActor(login: string): object {
  const bare = login.replace(/\[bot\]$/, '');
  return { __typename: bare === login ? 'User' : 'Bot', login: bare };
}

/** Half of the checks are runs, the others statuses of the older kind. */
function rollup(store: ForgeStore, issue: FakeIssue, checks: readonly FakeCheck[]): object | null {
  if (store.hiddenChecks) throw new Error('Resource not accessible by personal access token');
  if (checks.length === 0 || issue.pull === null) return null;
  const nodes = checks.map(({ name, state, url, summary }, index) =>
    index % 2 === 1
      ? {
          __typename: 'StatusContext',
          context: name,
          state: state.toUpperCase(),
          targetUrl: url,
          description: summary,
        }
      : {
          __typename: 'CheckRun',
          name,
          status: state === 'pending' ? 'IN_PROGRESS' : 'COMPLETED',
          conclusion: state === 'pending' ? null : state.toUpperCase(),
          detailsUrl: url,
          title: summary,
          summary: '',
        },
  );
  return { contexts: { totalCount: nodes.length, nodes: nodes.slice(0, 100) } };
}
