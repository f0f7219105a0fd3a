import { addPull, HEAD_SHA, pullOf, pullsOf, REVIEWERS, type WantedPull, whyNot } from '../forge/pulls.ts';
import type { RepositoryRoutes } from '../forge/routes.ts';
import type { FakeAnswer, FakeForge } from '../forge/server.ts';
import type { FakeIssue } from '../forge/store.ts';
import { list, NOT_FOUND, REPO, userJson } from './render.ts';

const PULL = `${REPO}/pulls/{index}`;
const STATES = { APPROVED: 'APPROVED', CHANGES_REQUESTED: 'REQUEST_CHANGES', COMMENTED: 'COMMENT' } as const;
const AT = '2026-03-01T10:00:00Z';

/** As a server of version 1.21 was seen to answer. */
export function defineGiteaPulls(fake: FakeForge, routes: RepositoryRoutes): void {
  const { store } = fake;
  const { inRepo, onPull } = routes;
  fake.on(
    `get ${REPO}/pulls`,
    inRepo((request) =>
      list(fake, request, pullsOf(store, request.query.get('state') ?? 'open').map(pullJson)),
    ),
  );
  fake.on(
    `get ${PULL}`,
    onPull((pull) => ({ status: 200, body: pullJson(pull) })),
  );
  fake.on(
    `get ${REPO}/branches/{branch}`,
    inRepo(({ path }) => {
      const isThere = store.branches === null || store.branches.has(path['branch'] ?? '');
      return isThere ? { status: 200, body: { name: path['branch'], commit: { id: HEAD_SHA } } } : NOT_FOUND;
    }),
  );
  fake.on(
    `get ${REPO}/commits`,
    inRepo(({ query }) => {
      const ahead = store.branches?.get(query.get('sha') ?? '')?.ahead ?? 1;
      const commits = Array.from({ length: ahead }, () => ({ sha: HEAD_SHA, created: AT }));
      return { status: 200, body: commits.slice(0, Number(query.get('limit') ?? 50)) };
    }),
  );
  defineDetails(fake, routes);
  defineWrites(fake, routes);
}

function defineDetails(fake: FakeForge, { inRepo, onPull }: RepositoryRoutes): void {
  const { store } = fake;
  fake.on(
    `get ${REPO}/commits/{ref}/status`,
    inRepo(() => {
      if (store.hiddenChecks) return { status: 404, body: { message: 'not found', url: 'x', errors: [] } };
      const checks = pullsOf(store, 'all').flatMap(({ pull }) => pull?.checks ?? []);
      const statuses = checks.map(({ name, state, url, summary }, index) => ({
        id: index + 1,
        context: name,
        status: state,
        target_url: url,
        description: summary,
        creator: userJson('ci'),
        created_at: AT,
        updated_at: AT,
      }));
      return {
        status: 200,
        body: { state: 'success', sha: HEAD_SHA, total_count: statuses.length, statuses },
      };
    }),
  );
  fake.on(
    `get ${PULL}/reviews`,
    onPull((issue, request) => {
      const { reviews = [], reviewers = [], threads = [] } = pullOf(issue);
      const asked = reviewers.map((login) => ({ user: userJson(login), state: 'REQUEST_REVIEW', body: '' }));
      const given = reviews.map(({ author, state, body }) => ({
        user: userJson(author),
        state: STATES[state],
        body,
      }));
      const about = threads.length === 0 ? [] : [{ user: userJson('rita'), state: 'COMMENT', body: '' }];
      const all = [...asked, ...given, ...about].map((review, index, { length }) => ({
        id: index + 1,
        ...review,
        stale: false,
        dismissed: false,
        comments_count: index === length - 1 ? threads.length : 0,
        submitted_at: AT,
      }));
      return list(fake, request, all);
    }),
  );
  fake.on(
    `get ${PULL}/reviews/{id}/comments`,
    onPull((issue) => ({
      status: 200,
      body: (pullOf(issue).threads ?? []).flatMap(({ path, line, resolved, comments }) =>
        comments.map(({ author, body }) => ({
          id: store.nextId(),
          body,
          user: userJson(author),
          resolver: resolved ? userJson('ada') : null,
          path,
          position: line,
          original_position: 0,
          created_at: AT,
          updated_at: AT,
        })),
      ),
    })),
  );
}

function defineWrites(fake: FakeForge, { inRepo, onPull }: RepositoryRoutes): void {
  const { store } = fake;
  fake.on(
    `post ${REPO}/pulls`,
    inRepo(({ body }) => {
      const wanted = body as WantedPull;
      const why = whyNot(store, wanted);
      if (why === 'head' || why === 'base') return NOT_FOUND;
      if (why === 'exists')
        return { status: 409, body: { message: 'pull request already exists for these targets', url: 'x' } };
      // A pull request without commits is made as any other.
      return { status: 201, body: pullJson(addPull(store, wanted)) };
    }),
  );
  fake.on(
    `post ${PULL}/requested_reviewers`,
    onPull((issue, { body }): FakeAnswer => {
      const { reviewers = [] } = body as { reviewers?: string[] };
      const stranger = reviewers.find((name) => !REVIEWERS.includes(name));
      if (store.branches !== null && stranger !== undefined)
        return { status: 404, body: { errors: null, message: `User '${stranger}' not exist`, url: 'x' } };
      pullOf(issue).reviewers = reviewers;
      return { status: 201, body: [] };
    }),
  );
  fake.on(
    `patch ${PULL}`,
    onPull((issue, { body }) => {
      const change = body as { title?: string; body?: string; state?: string };
      if (change.state === 'open' && pullOf(issue).merged === true)
        return {
          status: 412,
          body: { message: 'cannot change state of this pull request, it was already merged' },
        };
      store.change(issue.number, (it) => {
        it.title = change.title ?? it.title;
        it.body = change.body ?? it.body;
        if (change.state !== undefined) it.closed = change.state === 'closed';
      });
      return { status: 201, body: pullJson(issue) };
    }),
  );
}

function pullJson(issue: FakeIssue): Record<string, unknown> {
  const { head, base, headRepository, merged = false, mergeable = true, reviewers = [] } = pullOf(issue);
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    user: userJson(issue.author),
    state: issue.closed ? 'closed' : 'open',
    merged,
    mergeable: mergeable ?? false,
    requested_reviewers: reviewers.length === 0 ? null : reviewers.map(userJson),
    html_url: `https://git.example/octo/app/pulls/${issue.number}`,
    head: { ref: head, label: head, sha: HEAD_SHA, repo: { full_name: headRepository } },
    base: { ref: base, label: base },
  };
}
