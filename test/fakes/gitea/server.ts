import { readDescription } from '../forge/description.ts';
import { type RepositoryRoutes, repositoryRoutes } from '../forge/routes.ts';
import { FakeForge, type FakeRequest } from '../forge/server.ts';
import type { FakeComment, FakeIssue, FakeLabel, ForgeStore } from '../forge/store.ts';
import { defineGiteaPulls } from './pulls.ts';
import { list, NOT_FOUND, REPO, userJson } from './render.ts';

export const FAKE_TOKEN = 'dummy0000000000000000000000000000gitea';
const ISSUE = `${REPO}/issues/{index}`;
const DESCRIPTION = readDescription(new URL('../../../schema/gitea/api.json', import.meta.url));

/** Gitea with one repository, octo/app; it behaves as the real server was seen to. */
export async function startFakeGitea(tokens: readonly string[] = [FAKE_TOKEN]): Promise<FakeForge> {
  const fake = new FakeForge({
    name: 'Gitea',
    prefix: '/api/v1',
    description: DESCRIPTION,
    authorization: tokens.map((token) => `token ${token}`),
    etags: false,
    rateLimit: null,
  });
  defineReads(fake);
  defineIssueWrites(fake);
  defineGiteaPulls(fake, routesOf(fake.store));
  await fake.start();
  return fake;
}

function defineReads(fake: FakeForge): void {
  const { store } = fake;
  const { inRepo, onIssue } = routesOf(store);
  fake.on('get /user', () => ({ status: 200, body: userJson('bot') }));
  fake.on('get /orgs/{org}/labels', () => NOT_FOUND);
  fake.on(
    `get ${REPO}`,
    inRepo(() => ({ status: 200, body: { id: 1, name: 'app', full_name: 'octo/app' } })),
  );
  fake.on(
    `get ${REPO}/labels`,
    inRepo((request) => list(fake, request, store.labels.map(labelJson))),
  );
  fake.on(
    `get ${REPO}/issues`,
    inRepo((request) =>
      list(
        fake,
        request,
        find(store, request).map((issue) => issueJson(issue, store)),
      ),
    ),
  );
  fake.on(
    `get ${ISSUE}`,
    onIssue((issue) => ({ status: 200, body: issueJson(issue, store) })),
  );
  fake.on(
    `get ${ISSUE}/comments`,
    onIssue((issue) => ({ status: 200, body: issue.comments.map(commentJson) })),
  );
  fake.on(
    `get ${ISSUE}/labels`,
    onIssue((issue) => ({ status: 200, body: labelsOf(store, issue) })),
  );
  fake.on(
    `get ${ISSUE}/dependencies`,
    onIssue((issue, request) =>
      list(
        fake,
        request,
        issue.blockedBy.map((number) => issueJson(store.issue(number), store)),
      ),
    ),
  );
  fake.on(
    `get ${ISSUE}/blocks`,
    onIssue(() => ({ status: 200, body: [] })),
  );
  fake.on(
    `get ${ISSUE}/timeline`,
    onIssue(() => ({ status: 200, body: [] })),
  );
}

function defineIssueWrites(fake: FakeForge): void {
  const { store } = fake;
  const { inRepo, onIssue } = routesOf(store);
  fake.on(
    `post ${REPO}/labels`,
    inRepo(({ body }) => {
      const { name, color } = body as { name: string; color: string };
      return { status: 201, body: labelJson(store.label(name, color.replace('#', ''))) };
    }),
  );
  fake.on(
    `patch ${ISSUE}`,
    onIssue((issue, { body }) => {
      const change = body as { title?: string; body?: string; state?: string };
      const closing = change.state === 'closed' && !issue.closed;
      if (closing && issue.blockedBy.some((number) => store.issues.get(number)?.closed === false))
        return {
          status: 412,
          body: { message: 'cannot close this issue because it still has open dependencies' },
        };
      store.change(issue.number, (it) => {
        it.title = change.title ?? it.title;
        it.body = change.body ?? it.body;
        if (change.state !== undefined) it.closed = change.state === 'closed';
      });
      return { status: 201, body: issueJson(issue, store) };
    }),
  );
  fake.on(
    `post ${ISSUE}/comments`,
    onIssue((issue, { body }) => ({
      status: 201,
      body: commentJson(store.comment(issue.number, (body as { body: string }).body)),
    })),
  );
  fake.on(
    `post ${ISSUE}/labels`,
    onIssue((issue, { body }) => {
      for (const id of (body as { labels: number[] }).labels) {
        const label = store.labels.find((candidate) => candidate.id === id);
        if (label === undefined) return NOT_FOUND;
        store.relabel(issue.number, (name) => name === label.name, label.name);
      }
      return { status: 200, body: labelsOf(store, issue) };
    }),
  );
  fake.on(
    `delete ${ISSUE}/labels/{id}`,
    onIssue((issue, { path }) => {
      const label = store.labels.find((candidate) => candidate.id === Number(path['id']));
      if (label === undefined) return { status: 422, body: { message: 'no such label' } };
      store.relabel(issue.number, (name) => store.label(name).id === label.id, null);
      return { status: 204 };
    }),
  );
}

/** Newest first; a label that the repository does not have filters nothing. */
function find(store: ForgeStore, { query }: FakeRequest): FakeIssue[] {
  const state = query.get('state') ?? 'open';
  const wanted = (query.get('labels') ?? '')
    .split(',')
    .flatMap((name) => store.labels.find((label) => label.name === name)?.name ?? []);
  return [...store.issues.values()]
    .filter((issue) => query.get('type') !== 'issues' || issue.pull === null)
    .filter((issue) => state === 'all' || issue.closed === (state === 'closed'))
    .filter((issue) => wanted.every((name) => issue.labels.includes(name)))
    .filter((issue) => Date.parse(issue.updatedAt) >= Date.parse(query.get('since') ?? '1970-01-01'))
    .reverse();
}

function issueJson(issue: FakeIssue, store: ForgeStore): Record<string, unknown> {
  return {
    id: 7_000_000 + issue.number,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.closed ? 'closed' : 'open',
    html_url: `https://git.example/octo/app/issues/${issue.number}`,
    labels: labelsOf(store, issue),
    assignee: null,
    assignees: issue.assignees.length === 0 ? null : issue.assignees.map(userJson),
    user: userJson(issue.author),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: null,
    pull_request: issue.pull === null ? null : { merged: false, merged_at: null },
    repository: { id: 1, name: 'app', owner: 'octo', full_name: 'octo/app' },
  };
}

function labelsOf(store: ForgeStore, issue: FakeIssue): readonly unknown[] {
  return issue.labels.map((name) => ({ ...labelJson(store.label(name)), name }));
}

function labelJson({ id, name, color }: FakeLabel): Record<string, unknown> {
  return { id, name, color, description: '', exclusive: false, is_archived: false };
}

function commentJson({ id, body, author, at }: FakeComment): Record<string, unknown> {
  const address = `https://git.example/octo/app/issues/1#issuecomment-${id}`;
  return { id, body, user: userJson(author), created_at: at, updated_at: at, html_url: address };
}

function routesOf(store: ForgeStore): RepositoryRoutes {
  return repositoryRoutes(store, NOT_FOUND, { issue: 'index', pull: 'index' });
}
