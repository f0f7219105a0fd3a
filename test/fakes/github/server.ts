import { readFileSync } from 'node:fs';
import { buildSchema, execute, parse, validate } from 'graphql';
import { readDescription } from '../forge/description.ts';
import { type RepositoryRoutes, repositoryRoutes } from '../forge/routes.ts';
import { type FakeAnswer, FakeForge, type FakeRequest, page } from '../forge/server.ts';
import type { FakeIssue, ForgeStore } from '../forge/store.ts';
import { definePulls, draftMutations, graphqlActor, graphqlPull } from './pulls.ts';
import { commentJson, issueJson, labelJson, setExamples } from './render.ts';

export const FAKE_TOKEN = 'ghp_dummy00000000000000000000000000000000';
export const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{issue_number}`;
const PULL = `${REPO}/pulls/{pull_number}`;
const DESCRIPTION = readDescription(new URL('../../../schema/github/api.json', import.meta.url));
const SCHEMA = buildSchema(
  readFileSync(new URL('../../../schema/github/schema.graphql', import.meta.url), 'utf8'),
);
setExamples(DESCRIPTION);

export interface FakeGithubOptions {
  /** `/api/v3` for GitHub Enterprise Server. */
  readonly prefix?: string;
  /** Old servers lack these fields of GraphQL. */
  readonly withoutNewFields?: boolean;
}

/** GitHub with one repository, octo/app. */
export async function startFakeGithub(options: FakeGithubOptions = {}): Promise<FakeForge> {
  const prefix = options.prefix ?? '';
  const graphqlPath = prefix === '' ? '/graphql' : '/api/graphql';
  const fake: FakeForge = new FakeForge({
    name: 'GitHub',
    prefix,
    description: DESCRIPTION,
    authorization: `Bearer ${FAKE_TOKEN}`,
    etags: true,
    rateLimit: { limit: 5_000 },
    other: (pathname, body) =>
      pathname === graphqlPath ? answerGraphql(fake, body, options.withoutNewFields === true) : null,
  });
  fake.store.legacy = options.withoutNewFields === true;
  defineReads(fake);
  defineWrites(fake);
  definePulls(fake, routesOf(fake.store));
  await fake.start();
  return fake;
}

const NOT_FOUND: FakeAnswer = { status: 404, body: { message: 'Not Found' } };

function defineReads(fake: FakeForge): void {
  const { store } = fake;
  const { inRepo, onIssue } = routesOf(store);
  fake.on('get /user', () => ({ status: 200, body: { ...example('get /user'), login: 'bot' } }));
  fake.on(
    `get ${REPO}`,
    inRepo(() => {
      const { source: _source, parent: _parent, ...body } = example(`get ${REPO}`);
      return { status: 200, body: { ...body, language: null } };
    }),
  );
  fake.on(
    `get ${REPO}/commits/{ref}`,
    inRepo(() => ({ status: 200, body: { ...example(`get ${REPO}/commits/{ref}`), files: [] } })),
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
        find(store, request).map((it) => issueJson(it, store)),
      ),
    ),
  );
  fake.on(
    `get ${ISSUE}`,
    onIssue((issue) => ({ status: 200, body: issueJson(issue, store) })),
  );
  fake.on(
    `get ${ISSUE}/comments`,
    onIssue((issue, request) => list(fake, request, issue.comments.map(commentJson))),
  );
  fake.on(
    `get ${ISSUE}/labels`,
    onIssue((issue, request) => list(fake, request, labelsOf(store, issue))),
  );
  fake.on(
    `get ${ISSUE}/sub_issues`,
    onIssue(() => ({ status: 200, body: [] })),
  );
  fake.on(
    `get ${ISSUE}/events`,
    onIssue(() => ({ status: 200, body: [] })),
  );
  fake.on(
    `get ${ISSUE}/dependencies/blocked_by`,
    onIssue((issue, request) =>
      list(
        fake,
        request,
        issue.blockedBy.map((it) => issueJson(store.issue(it), store)),
      ),
    ),
  );
}

function defineWrites(fake: FakeForge): void {
  const { store } = fake;
  const { inRepo, onIssue, onPull } = routesOf(store);
  fake.on(
    `post ${REPO}/labels`,
    inRepo((request) => {
      const { name, color } = request.body as { name: string; color?: string };
      if (store.labels.some((label) => label.name === name))
        return {
          status: 422,
          body: {
            message: 'Validation Failed',
            errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }],
            documentation_url: 'x',
          },
        };
      return { status: 201, body: labelJson(store.label(name, color)) };
    }),
  );
  fake.on(
    `patch ${ISSUE}`,
    onIssue((issue, { body }) => {
      const change = body as { title?: string; body?: string; state?: string };
      const changed = store.change(issue.number, (it) => {
        it.title = change.title ?? it.title;
        it.body = change.body ?? it.body;
        if (change.state !== undefined) it.closed = change.state === 'closed';
      });
      return { status: 200, body: issueJson(changed, store) };
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
      for (const name of (body as { labels: string[] }).labels) {
        const known = store.label(name).name;
        store.relabel(issue.number, (label) => label === known, known);
      }
      return { status: 200, body: labelsOf(store, issue) };
    }),
  );
  fake.on(
    `delete ${ISSUE}/labels/{name}`,
    onIssue((issue, { path }) => {
      const name = path['name']?.toLowerCase() ?? '';
      if (!issue.labels.some((label) => label.toLowerCase() === name)) return NOT_FOUND;
      store.relabel(issue.number, (label) => label.toLowerCase() === name, null);
      return { status: 200, body: labelsOf(store, issue) };
    }),
  );
  const replies = `post ${PULL}/comments/{comment_id}/replies`;
  fake.on(
    replies,
    onPull(() => ({ status: 201, body: DESCRIPTION.example(replies) })),
  );
}

async function answerGraphql(fake: FakeForge, body: unknown, old: boolean): Promise<FakeAnswer> {
  const { query, variables } = body as { query: string; variables: Record<string, unknown> };
  const document = parse(query);
  if (old && /fullDatabaseId|subIssuesSummary|parent/.test(query)) {
    const extensions = { code: 'undefinedField', typeName: 'Issue', fieldName: 'parent' };
    return {
      status: 200,
      body: { errors: [{ message: "Field 'parent' doesn't exist on type 'Issue'", extensions }] },
    };
  }
  const invalid = validate(SCHEMA, document);
  if (invalid.length > 0) fake.problems.push(...invalid.map((error) => `GraphQL: ${error.message}`));
  const result = await execute({
    schema: SCHEMA,
    document,
    variableValues: variables,
    rootValue: { ...root(fake.store), ...draftMutations(fake.store) },
  });
  const errors = result.errors?.map((error) => ({
    type: error.message.startsWith('Could not resolve') ? 'NOT_FOUND' : 'INTERNAL',
    path: error.path,
    message: error.message,
  }));
  return { status: 200, body: { data: result.data, ...(errors === undefined ? {} : { errors }) } };
}

function root(store: ForgeStore): object {
  return {
    repository({ owner, name }: { owner: string; name: string }) {
      if (`${owner}/${name}`.toLowerCase() !== 'octo/app' || store.hidden)
        throw new Error(`Could not resolve to a Repository with the name '${owner}/${name}'.`);
      return {
        nameWithOwner: 'octo/app',
        issue({ number }: { number: number }) {
          const issue = store.issues.get(number);
          if (issue === undefined || issue.pull !== null)
            throw new Error(`Could not resolve to an Issue with the number of ${number}.`);
          return graphqlIssue(issue, store);
        },
        pullRequest: ({ number }: { number: number }) => graphqlPull(store, number),
      };
    },
  };
}

function graphqlIssue(issue: FakeIssue, store: ForgeStore): object {
  const json = issueJson(issue, store);
  return {
    number: issue.number,
    title: issue.title,
    state: issue.closed ? 'CLOSED' : 'OPEN',
    id: json['node_id'],
    databaseId: json['id'],
    fullDatabaseId: String(json['id']),
    body: issue.body,
    url: json['html_url'],
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
    authorAssociation: issue.association,
    author: graphqlActor(issue.author),
    labels: { nodes: issue.labels.map((name) => ({ name })) },
    assignees: { nodes: issue.assignees.map((login) => ({ login })) },
    parent: null,
    subIssuesSummary: { total: 0, completed: 0, percentCompleted: 0 },
  };
}

function find(store: ForgeStore, { query }: FakeRequest): FakeIssue[] {
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const found = [...store.issues.values()].filter(
    (issue) =>
      matches(issue, state) &&
      labels.every((label) => issue.labels.some((name) => name.trim().toLowerCase() === label.toLowerCase())),
  );
  return query.get('direction') === 'asc' ? found : found.reverse();
}

function matches(issue: FakeIssue, state: string): boolean {
  return state === 'all' || issue.closed === (state === 'closed');
}

function labelsOf(store: ForgeStore, issue: FakeIssue): readonly unknown[] {
  return issue.labels.map((name) => labelJson(store.label(name)));
}

function list(fake: FakeForge, request: FakeRequest, items: readonly unknown[]): FakeAnswer {
  return page(request, items, 'per_page', 100, `${fake.origin}/elsewhere`);
}

function example(name: string): Record<string, unknown> {
  return DESCRIPTION.example(name) as Record<string, unknown>;
}

function routesOf(store: ForgeStore): RepositoryRoutes {
  return repositoryRoutes(store, NOT_FOUND, { issue: 'issue_number', pull: 'pull_number' });
}
