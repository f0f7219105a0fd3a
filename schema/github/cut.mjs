import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, print, visit } from 'graphql';

/**
 * Cuts the parts of GitHub's published API descriptions that the tests need: `node schema/github/cut.mjs`.
 * The packages are fetched into a temporary folder; they are far too large to be dependencies.
 */
const OPENAPI = '@octokit/openapi@23.0.2';
const GRAPHQL = '@octokit/graphql-schema@15.26.1';
const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{issue_number}`;
const PULL = `${REPO}/pulls/{pull_number}`;
const OPERATIONS = [
  'get /user',
  `get ${REPO}`,
  `get ${REPO}/labels`,
  `post ${REPO}/labels`,
  `get ${REPO}/issues`,
  `get ${ISSUE}`,
  `patch ${ISSUE}`,
  `get ${ISSUE}/comments`,
  `post ${ISSUE}/comments`,
  `get ${ISSUE}/labels`,
  `post ${ISSUE}/labels`,
  `delete ${ISSUE}/labels/{name}`,
  `get ${ISSUE}/events`,
  `get ${ISSUE}/sub_issues`,
  `get ${ISSUE}/dependencies/blocked_by`,
  `get ${REPO}/pulls`,
  `post ${REPO}/pulls`,
  `get ${PULL}`,
  `patch ${PULL}`,
  `get ${PULL}/reviews`,
  `get ${PULL}/comments`,
  `post ${PULL}/comments/{comment_id}/replies`,
  `post ${PULL}/requested_reviewers`,
  `get ${REPO}/branches/{branch}`,
  `get ${REPO}/commits/{ref}`,
  `get ${REPO}/commits/{ref}/status`,
  `get ${REPO}/commits/{ref}/check-runs`,
];
const GRAPHQL_TYPES = {
  Query: ['repository'],
  Mutation: ['convertPullRequestToDraft', 'markPullRequestReadyForReview'],
  ConvertPullRequestToDraftInput: null,
  ConvertPullRequestToDraftPayload: ['pullRequest'],
  MarkPullRequestReadyForReviewInput: null,
  MarkPullRequestReadyForReviewPayload: ['pullRequest'],
  Repository: ['issue', 'nameWithOwner', 'pullRequest'],
  PullRequest: [
    'number isDraft mergeable reviewDecision headRefOid reviewRequests reviews reviewThreads comments commits',
  ]
    .join(' ')
    .split(' '),
  ReviewRequestConnection: ['nodes'],
  ReviewRequest: ['requestedReviewer'],
  RequestedReviewer: null,
  Team: ['combinedSlug'],
  Mannequin: ['login'],
  PullRequestReviewConnection: ['nodes', 'totalCount'],
  PullRequestReview: ['author', 'authorAssociation', 'state', 'body', 'submittedAt'],
  PullRequestReviewThreadConnection: ['nodes', 'totalCount'],
  PullRequestReviewThread: ['isResolved', 'isOutdated', 'path', 'line', 'comments'],
  PullRequestReviewCommentConnection: ['nodes', 'totalCount'],
  PullRequestReviewComment: ['author', 'authorAssociation', 'body', 'createdAt'],
  IssueCommentConnection: ['nodes', 'totalCount'],
  IssueComment: ['author', 'authorAssociation', 'body', 'createdAt'],
  PullRequestCommitConnection: ['nodes'],
  PullRequestCommit: ['commit'],
  Commit: ['oid', 'statusCheckRollup'],
  StatusCheckRollup: ['contexts'],
  StatusCheckRollupContextConnection: ['nodes', 'totalCount'],
  StatusCheckRollupContext: null,
  CheckRun: ['name', 'status', 'conclusion', 'detailsUrl', 'title', 'summary'],
  StatusContext: ['context', 'state', 'targetUrl', 'description'],
  MergeableState: null,
  PullRequestReviewDecision: null,
  PullRequestReviewState: null,
  CheckStatusState: null,
  CheckConclusionState: null,
  StatusState: null,
  GitObjectID: null,
  Issue: [
    'number title state id databaseId fullDatabaseId body url createdAt updatedAt authorAssociation author labels',
    'assignees parent repository subIssuesSummary',
  ]
    .join(' ')
    .split(' '),
  LabelConnection: ['nodes'],
  Label: ['name'],
  UserConnection: ['nodes'],
  User: ['login'],
  Actor: ['login'],
  Bot: ['login'],
  SubIssuesSummary: ['total', 'completed', 'percentCompleted'],
  IssueState: null,
  CommentAuthorAssociation: null,
  DateTime: null,
  BigInt: null,
  URI: null,
};
const SCALARS = ['Int', 'String', 'Boolean', 'ID'];
const here = fileURLToPath(new URL('.', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'github-schema-'));
try {
  const openapi = JSON.parse(fetchFile(OPENAPI, 'generated/api.github.com.json'));
  writeFileSync(join(here, 'api.json'), `${JSON.stringify(cutOpenApi(openapi), null, 2)}\n`);
  writeFileSync(join(here, 'schema.graphql'), cutGraphql(fetchFile(GRAPHQL, 'schema.graphql')));
} finally {
  rmSync(folder, { recursive: true });
}

function fetchFile(spec, path) {
  const archive = execFileSync('npm', ['pack', '--silent', spec], { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', archive, `package/${path}`], { cwd: folder });
  return readFileSync(join(folder, 'package', path), 'utf8');
}

function cutOpenApi(description) {
  const definitions = {};
  const resolve = (ref) =>
    ref
      .slice(2)
      .split('/')
      .reduce((node, key) => node[key], description);
  const operations = {};
  for (const operation of OPERATIONS) {
    const [method, path] = operation.split(' ');
    const source = description.paths[path][method];
    const parameters = source.parameters.map((entry) => (entry.$ref ? resolve(entry.$ref) : entry));
    const body = source.requestBody?.content['application/json'].schema;
    const answers = {};
    for (const [status, given] of Object.entries(source.responses)) {
      const answer = given.$ref ? resolve(given.$ref) : given;
      const content = answer.content?.['application/json'];
      answers[status] = content === undefined ? null : clean(content.schema);
    }
    const success = Object.entries(source.responses).find(([status]) => status.startsWith('2'))?.[1];
    const examples = success?.content?.['application/json']?.examples ?? {};
    const [example] = Object.values(examples);
    operations[operation] = {
      query: Object.fromEntries(
        parameters.filter((entry) => entry.in === 'query').map((entry) => [entry.name, clean(entry.schema)]),
      ),
      body: body === undefined ? null : strict(clean(body)),
      answers,
      example: (example?.$ref ? resolve(example.$ref) : example)?.value ?? null,
    };
  }
  return {
    source: `${OPENAPI}, generated/api.github.com.json (MIT License, Copyright (c) GitHub); cut by schema/github/cut.mjs`,
    operations,
    definitions,
  };

  /** JSON Schema of today from OpenAPI 3.0, without texts for people. */
  function clean(schema) {
    if (Array.isArray(schema)) return schema.map(clean);
    if (typeof schema !== 'object' || schema === null) return schema;
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1);
      if (definitions[name] === undefined) {
        definitions[name] = {};
        definitions[name] = clean(resolve(schema.$ref));
      }
      return { $ref: `#/definitions/${name}` };
    }
    const result = {};
    for (const [key, value] of Object.entries(schema)) {
      if (
        ['description', 'example', 'examples', 'title', 'nullable', 'deprecated', 'discriminator'].includes(
          key,
        )
      )
        if (typeof value !== 'object' || key === 'example' || key === 'examples') continue;
      if (key.startsWith('x-')) continue;
      result[key] = key === 'properties' ? mapValues(value, clean) : clean(value);
    }
    return schema.nullable === true ? { anyOf: [result, { type: 'null' }] } : result;
  }
}

/** A request may not carry a field that the description does not name. */
function strict(schema) {
  if (schema.properties !== undefined) return { ...schema, additionalProperties: false };
  for (const key of ['oneOf', 'anyOf']) {
    if (Array.isArray(schema[key])) return { ...schema, [key]: schema[key].map(strict) };
  }
  return schema;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function cutGraphql(text) {
  const bare = (node) => (node.type === undefined ? node.name.value : bare(node.type));
  const kept = parse(text).definitions.filter((node) => Object.hasOwn(GRAPHQL_TYPES, node.name?.value));
  const cut = kept.map((node) => {
    const fields = GRAPHQL_TYPES[node.name.value];
    const withFields =
      fields === null
        ? node
        : { ...node, fields: node.fields.filter((field) => fields.includes(field.name.value)) };
    const known = (type) => Object.hasOwn(GRAPHQL_TYPES, type.name.value);
    return visit(
      { ...withFields, interfaces: withFields.interfaces?.filter(known), directives: [] },
      {
        FieldDefinition: {
          leave: (field) => ({
            ...field,
            directives: [],
            arguments: field.arguments.filter(
              ({ type }) => SCALARS.includes(bare(type)) || bare(type).endsWith('Input'),
            ),
          }),
        },
        InputValueDefinition: { leave: (value) => ({ ...value, directives: [] }) },
        EnumValueDefinition: { leave: (value) => ({ ...value, directives: [] }) },
      },
    );
  });
  const head = `# ${GRAPHQL} (MIT License, Copyright (c) GitHub); cut by schema/github/cut.mjs\n`;
  return `${head}\n${cut.map((node) => print(node).replaceAll(/^ *"""[\s\S]*?"""\n/gm, '')).join('\n\n')}\n`;
}
