import { hostileFollowUps } from './follow-up-requests.ts';

/** Values that requests are written with; a test fills them in. */
export interface RequestValues {
  /** The run's own issue. */
  readonly id: string;
  readonly identifier: string;
  /** Another issue of the same project. */
  readonly otherId: string;
  readonly otherIdentifier: string;
  readonly teamId: string;
  readonly projectId: string;
  readonly todo: string;
  readonly progress: string;
  readonly review: string;
  readonly backlog: string;
  readonly done: string;
  readonly ownComment: string;
  /** By a person, on the run's issue. */
  readonly personComment: string;
  readonly otherComment: string;
}

/** Name, arguments of `linear_graphql`. */
export type Request = readonly [name: string, input: unknown];

const PR = 'https://git.example.com/acme/app/pull/1';

/** What an agent legitimately asks; every one must pass. */
export function legitimateRequests(w: RequestValues): readonly Request[] {
  const own = { id: w.id };
  return [
    [
      'own issue by id',
      { query: 'query($id: String!) { issue(id: $id) { id title state { name } } }', variables: own },
    ],
    [
      'own issue by identifier',
      { query: `{ issue(id: "${w.identifier}") { id identifier title description url branchName } }` },
    ],
    ['bare text', `{ issue(id: "${w.id}") { id } }`],
    [
      'a follow-up that waits',
      {
        query:
          'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier url state { name } } } }',
        variables: {
          input: { teamId: w.teamId, projectId: w.projectId, stateId: w.backlog, title: 'More', priority: 3 },
        },
      },
    ],
    [
      'a part of its own issue that waits',
      {
        query: `mutation { issueCreate(input: { teamId: "${w.teamId}", projectId: "${w.projectId}", stateId: "${w.review}", title: "Part", parentId: "${w.identifier}" }) { success } }`,
      },
    ],
    ['lower-case identifier', { query: `{ issue(id: "${w.identifier.toLowerCase()}") { id } }` }],
    [
      'comments with pages',
      {
        query:
          'query($id: String!, $n: Int) { issue(id: $id) { comments(first: $n) { nodes { id body createdAt user { name } } pageInfo { hasNextPage endCursor } } } }',
        variables: { ...own, n: 20 },
      },
    ],
    [
      'labels and attachments',
      {
        query:
          'query($id: String!) { issue(id: $id) { labels { nodes { name } } attachments { nodes { title url sourceType } } } }',
        variables: own,
      },
    ],
    [
      'team and its states',
      {
        query:
          'query($id: String!) { issue(id: $id) { team { id key name states { nodes { id name type } } } } }',
        variables: own,
      },
    ],
    [
      'named fragment',
      {
        query:
          'query($id: String!) { issue(id: $id) { ...Brief } } fragment Brief on Issue { id title state { ...S } } fragment S on WorkflowState { name }',
        variables: own,
      },
    ],
    [
      'inline fragment',
      { query: `{ issue(id: "${w.id}") { ... on Issue { id } ... { title } __typename } }` },
    ],
    ['aliases', { query: `{ mine: issue(id: "${w.id}") { key: identifier } me: viewer { id name } }` }],
    [
      'skip and include',
      {
        query:
          'query($id: String!, $more: Boolean = false) { issue(id: $id) { id description @include(if: $more) title @skip(if: $more) } }',
        variables: own,
      },
    ],
    ['default value', { query: `query($id: String = "${w.id}") { issue(id: $id) { id } }` }],
    [
      'blockers',
      {
        query:
          'query($id: String!) { issue(id: $id) { inverseRelations { nodes { type issue { identifier title state { name } } } } parent { identifier } children { nodes { identifier } } } }',
        variables: own,
      },
    ],
    [
      'issues pinned by id',
      { query: `{ issues(filter: { id: { eq: "${w.id}" } }, first: 1) { nodes { id title } } }` },
    ],
    [
      'issues pinned by number',
      {
        query: 'query($f: IssueFilter) { issues(filter: $f) { nodes { id } } }',
        variables: {
          f: {
            team: { key: { eq: w.identifier.split('-')[0] } },
            number: { eq: Number(w.identifier.split('-')[1]) },
          },
        },
      },
    ],
    ['own team', { query: `{ team(id: "${w.teamId}") { key states { nodes { id name } } } }` }],
    [
      'teams by key',
      {
        query:
          'query($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id states { nodes { id name } } } } }',
        variables: { key: w.identifier.split('-')[0] },
      },
    ],
    [
      'workflow states by name',
      {
        query:
          '{ workflowStates(filter: { name: { eq: "Done" }, team: { key: { eq: "ENG" } } }) { nodes { id name type } } }',
      },
    ],
    ['labels by name', { query: '{ issueLabels(first: 10) { nodes { id name } } }' }],
    [
      'introspection',
      { query: '{ __type(name: "IssueUpdateInput") { name inputFields { name type { name kind } } } }' },
    ],
    [
      'comment',
      {
        query:
          'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }',
        variables: { input: { issueId: w.id, body: 'Done so far' } },
      },
    ],
    [
      'reply',
      {
        query: `mutation { commentCreate(input: { issueId: "${w.id}", body: "Yes", parentId: "${w.personComment}" }) { success } }`,
      },
    ],
    [
      'edit of its own comment',
      {
        query: `mutation { commentUpdate(id: "${w.ownComment}", input: { body: "Better" }) { success comment { body } } }`,
      },
    ],
    [
      'description',
      {
        query:
          'mutation Describe($id: String!, $text: String!) { issueUpdate(id: $id, input: { description: $text }) { success issue { id description } } }',
        variables: { ...own, text: 'New text' },
      },
    ],
    [
      'link of a pull request',
      {
        query: `mutation { attachmentLinkGitHubPR(issueId: "${w.id}", url: "${PR}") { success attachment { id url } } }`,
      },
    ],
    [
      'link and comment at once',
      {
        query: `mutation { link: attachmentLinkURL(issueId: "${w.identifier}", url: "${PR}", title: "PR") { success } say: commentCreate(input: { issueId: "${w.id}", body: "Linked" }) { success } }`,
      },
    ],
    [
      'attachment',
      {
        query: `mutation { attachmentCreate(input: { issueId: "${w.id}", title: "PR", url: "${PR}" }) { success } }`,
      },
    ],
    ['label', { query: `mutation { issueAddLabel(id: "${w.id}", labelId: "label-bug") { success } }` }],
    [
      'hand-off',
      {
        query:
          'mutation($id: String!, $to: String!) { issueUpdate(id: $id, input: { stateId: $to }) { success issue { state { name } } } }',
        variables: { ...own, to: w.review },
      },
    ],
  ];
}

/** What must never be sent. */
export function hostileRequests(w: RequestValues): readonly Request[] {
  return [...hostileReads(w), ...hostileWrites(w), ...hostileShapes(w)];
}

function hostileReads(w: RequestValues): readonly Request[] {
  const read = (name: string, query: string, variables?: unknown): Request => [
    name,
    variables === undefined ? { query } : { query, variables },
  ];
  return [
    read('another issue', `{ issue(id: "${w.otherId}") { title } }`),
    read('another issue by identifier', `{ issue(id: "${w.otherIdentifier}") { title } }`),
    read('another issue by variable', 'query($id: String!) { issue(id: $id) { title } }', { id: w.otherId }),
    read(
      'another issue by default value',
      `query($id: String = "${w.otherId}") { issue(id: $id) { title } }`,
    ),
    read('null over an own default', `query($id: String = "${w.id}") { issue(id: $id) { title } }`, {
      id: null,
    }),
    read('a list for an id', 'query($id: String!) { issue(id: $id) { title } }', { id: [w.id, w.otherId] }),
    read('an object for an id', 'query($id: String!) { issue(id: $id) { title } }', { id: { eq: w.id } }),
    read('no id', '{ issue { title } }'),
    read('an undeclared variable', `query { issue(id: $id) { title } }`, { id: w.id }),
    read(
      'own and another by alias',
      `{ issue(id: "${w.id}") { id } b: issue(id: "${w.otherId}") { title } }`,
    ),
    read('an alias that hides the field', `{ issue: issues { nodes { title } } }`),
    read('another in a fragment', `{ ...F } fragment F on Query { issue(id: "${w.otherId}") { title } }`),
    read('another in an inline fragment', `{ ... on Query { issue(id: "${w.otherId}") { title } } }`),
    read(
      'another in nested fragments',
      `{ ...A } fragment A on Query { ...B } fragment B on Query { issues { nodes { id } } }`,
    ),
    read('all issues', '{ issues { nodes { title description } } }'),
    read(
      'issues with own id or another',
      `{ issues(filter: { id: { in: ["${w.id}", "${w.otherId}"] } }) { nodes { title } } }`,
    ),
    read(
      'issues by alternative',
      `{ issues(filter: { id: { eq: "${w.id}" }, or: [{ priority: { eq: 1 } }] }) { nodes { title } } }`,
    ),
    read('issues by negation', `{ issues(filter: { id: { neq: "${w.id}" } }) { nodes { title } } }`),
    read('issues by an empty filter', '{ issues(filter: {}) { nodes { title } } }'),
    read('issues by an empty list', '{ issues(filter: { id: { in: [] } }) { nodes { title } } }'),
    read(
      'issues by two comparisons',
      `{ issues(filter: { id: { eq: "${w.id}", in: ["${w.otherId}"] } }) { nodes { title } } }`,
    ),
    read('issues by number only', '{ issues(filter: { number: { eq: 1 } }) { nodes { title } } }'),
    read(
      'issues of another team with own number',
      '{ issues(filter: { number: { eq: 1 }, team: { key: { eq: "OPS" } } }) { nodes { title } } }',
    ),
    read('issues by search', '{ searchIssues(term: "secret") { nodes { title } } }'),
    read('issues of the team', `{ issue(id: "${w.id}") { team { issues { nodes { title } } } } }`),
    read('issues of the project', `{ issue(id: "${w.id}") { project { issues { nodes { title } } } } }`),
    read('issues of a state', `{ issue(id: "${w.id}") { state { issues { nodes { title } } } } }`),
    read('issues of a label', `{ issue(id: "${w.id}") { labels { nodes { issues { nodes { title } } } } } }`),
    read(
      'issues of the assignee',
      `{ issue(id: "${w.id}") { assignee { assignedIssues { nodes { title } } } } }`,
    ),
    read(
      'the text of a related issue',
      `{ issue(id: "${w.id}") { inverseRelations { nodes { issue { description } } } } }`,
    ),
    read('comments of the parent', `{ issue(id: "${w.id}") { parent { comments { nodes { body } } } } }`),
    read(
      'a child of a child',
      `{ issue(id: "${w.id}") { children { nodes { children { nodes { id } } } } } }`,
    ),
    read('comments of the workspace', '{ comments { nodes { body } } }'),
    read('a comment by id', `{ comment(id: "${w.otherComment}") { body } }`),
    read('all users', '{ users { nodes { email } } }'),
    read('the address of a person', `{ issue(id: "${w.id}") { assignee { email } } }`),
    read('issues of the viewer', '{ viewer { assignedIssues { nodes { title } } } }'),
    read('the organization of the viewer', '{ viewer { organization { users { nodes { email } } } } }'),
    read('settings of the organization', '{ organization { allowedAuthServices samlEnabled } }'),
    read('another team', '{ team(id: "OPS") { states { nodes { id } } } }'),
    read('all teams', '{ teams { nodes { id } } }'),
    read('members of the team', `{ team(id: "${w.teamId}") { members { nodes { email } } } }`),
    read('another project', '{ project(id: "other") { name } }'),
    read('all projects', '{ projects { nodes { name } } }'),
    read('webhooks', '{ webhooks { nodes { url secret } } }'),
    read('integrations', '{ integrations { nodes { id service } } }'),
    read('audit entries', '{ auditEntries { nodes { actor { email } } } }'),
    read('api keys', '{ apiKeys { nodes { id } } }'),
    read(
      'attachments by address',
      '{ attachmentsForURL(url: "https://example.com") { nodes { issue { title } } } }',
    ),
    read(
      'the issue of an attachment',
      `{ issue(id: "${w.id}") { attachments { nodes { issue { team { issues { nodes { id } } } } } } } }`,
    ),
    read(
      'a probing filter on states',
      '{ workflowStates(filter: { issues: { some: { title: { contains: "x" } } } }) { nodes { id } } }',
    ),
    read(
      'a probing filter through the team',
      '{ workflowStates(filter: { team: { issues: { some: { title: { contains: "x" } } } } }) { nodes { id } } }',
    ),
    read(
      'a filter on comments',
      `{ issue(id: "${w.id}") { comments(filter: { user: { email: { contains: "a" } } }) { nodes { id } } } }`,
    ),
    read('a fragment on another type', `{ issue(id: "${w.id}") { ... on Node { id } } }`),
    read(
      'a fragment on the wrong root',
      `{ ...F } fragment F on Mutation { issueDelete(id: "${w.id}") { success } }`,
    ),
  ];
}

function hostileWrites(w: RequestValues): readonly Request[] {
  const write = (name: string, body: string, variables?: unknown, head = 'mutation'): Request => [
    name,
    { query: `${head} { ${body} }`, ...(variables === undefined ? {} : { variables }) },
  ];
  const review = `stateId: "${w.review}"`;
  const unowned = (input: string): string => `issueUpdate(id: "${w.id}", input: { ${input} }) { success }`;
  return [
    write('move of another issue', `issueUpdate(id: "${w.otherId}", input: { ${review} }) { success }`),
    write(
      'move of another by identifier',
      `issueUpdate(id: "${w.otherIdentifier}", input: { ${review} }) { success }`,
    ),
    write(
      'move of another by variable',
      `issueUpdate(id: $id, input: { ${review} }) { success }`,
      { id: w.otherId },
      'mutation($id: String!)',
    ),
    write(
      'own move and another by alias',
      `a: ${unowned(review)} b: issueUpdate(id: "${w.otherId}", input: { ${review} }) { success }`,
    ),
    write('an allowed name as alias of a deletion', `issueUpdate: issueDelete(id: "${w.id}") { success }`),
    write(
      'an allowed name as alias of an archive',
      `commentCreate: issueArchive(id: "${w.otherId}") { success }`,
    ),
    write(
      'a deletion after an allowed field',
      `commentCreate(input: { issueId: "${w.id}", body: "x" }) { success } issueDelete(id: "${w.id}") { success }`,
    ),
    [
      'a fragment named like an allowed field',
      {
        query: `mutation { ...issueUpdate } fragment issueUpdate on Mutation { issueDelete(id: "${w.otherId}") { success } }`,
      },
    ],
    [
      'an inline fragment around a deletion',
      { query: `mutation { ... on Mutation { issueDelete(id: "${w.id}") { success } } }` },
    ],
    [
      'an untyped inline fragment around a deletion',
      { query: `mutation { ... { issueDelete(id: "${w.id}") { success } } }` },
    ],
    [
      'an operation named like an allowed field',
      { query: `mutation issueUpdate { issueDelete(id: "${w.id}") { success } }` },
    ],
    [
      'a skipped allowed field before a deletion',
      {
        query: `mutation($no: Boolean!) { commentCreate(input: { issueId: "${w.id}", body: "x" }) @include(if: $no) { success } issueDelete(id: "${w.id}") { success } }`,
        variables: { no: false },
      },
    ],
    [
      'a deletion behind an include',
      {
        query: `mutation($yes: Boolean!) { issueDelete(id: "${w.id}") @include(if: $yes) { success } }`,
        variables: { yes: true },
      },
    ],
    write('a batch update', `issueBatchUpdate(ids: ["${w.id}"], input: { ${review} }) { success }`),
    ...hostileFollowUps(w),
    write('an upload', 'fileUpload(contentType: "text/plain", filename: "x", size: 1) { success }'),
    write('a deletion of its own issue', `issueDelete(id: "${w.id}") { success }`),
    write('an archive of its own issue', `issueArchive(id: "${w.id}") { success }`),
    write('case of the name', `IssueUpdate(id: "${w.id}", input: { ${review} }) { success }`),
    write('a name of every object', 'toString { success }'),
    write('the constructor', 'constructor { success }'),
    write('prototype by name', '__proto__ { success }'),
    write('a move to another project', unowned('projectId: "other"')),
    write('a move to another team', unowned('teamId: "other"')),
    write('another assignee', unowned(`assigneeId: "someone"`)),
    write('the bin', unowned('trashed: true')),
    write('a parent', unowned(`parentId: "${w.otherId}"`)),
    write('subscribers', unowned('subscriberIds: ["someone"]')),
    write('a state and a project', unowned(`${review}, projectId: "other"`)),
    write(
      'an input by variable with a project',
      `issueUpdate(id: "${w.id}", input: $input) { success }`,
      { input: { stateId: w.review, projectId: 'other' } },
      'mutation($input: IssueUpdateInput!)',
    ),
    write(
      'a key of objects',
      `issueUpdate(id: "${w.id}", input: $input) { success }`,
      JSON.parse('{"input": {"__proto__": {"trashed": true}}}'),
      'mutation($input: IssueUpdateInput!)',
    ),
    write(
      'an input that is a list',
      `issueUpdate(id: "${w.id}", input: $input) { success }`,
      { input: [{ stateId: w.review }] },
      'mutation($input: [IssueUpdateInput!])',
    ),
    write('no input', `issueUpdate(id: "${w.id}") { success }`),
    write('an empty input', unowned('')),
    write('an id twice', `issueUpdate(id: "${w.id}", id: "${w.otherId}", input: { ${review} }) { success }`),
    write('a key twice', unowned(`${review}, stateId: "${w.todo}"`)),
    write('an unknown state', unowned('stateId: "00000000-0000-4000-8000-000000000000"')),
    write('a state that is a number', unowned('stateId: 3')),
    write('a comment elsewhere', `commentCreate(input: { issueId: "${w.otherId}", body: "x" }) { success }`),
    write(
      'a comment on a project',
      `commentCreate(input: { projectId: "${w.projectId}", body: "x" }) { success }`,
    ),
    write(
      'a comment here and on a project',
      `commentCreate(input: { issueId: "${w.id}", projectId: "p", body: "x" }) { success }`,
    ),
    write(
      'a comment as somebody else',
      `commentCreate(input: { issueId: "${w.id}", body: "x", createAsUser: "boss" }) { success }`,
    ),
    write(
      'a reply to a comment elsewhere',
      `commentCreate(input: { issueId: "${w.id}", body: "x", parentId: "${w.otherComment}" }) { success }`,
    ),
    write(
      'an edit of a comment elsewhere',
      `commentUpdate(id: "${w.otherComment}", input: { body: "x" }) { success }`,
    ),
    write(
      "an edit of a person's comment",
      `commentUpdate(id: "${w.personComment}", input: { body: "x" }) { success }`,
    ),
    write('an edit of no comment', 'commentUpdate(id: "nothing", input: { body: "x" }) { success }'),
    write('a deleted comment', `commentDelete(id: "${w.ownComment}") { success }`),
    write('a link elsewhere', `attachmentLinkURL(issueId: "${w.otherId}", url: "${PR}") { success }`),
    write(
      'a link with code',
      `attachmentLinkURL(issueId: "${w.id}", url: "javascript:alert(1)") { success }`,
    ),
    write(
      'a link with a password',
      `attachmentLinkURL(issueId: "${w.id}", url: "https://user:pass@example.com/") { success }`,
    ),
    write(
      'a link as somebody else',
      `attachmentLinkURL(issueId: "${w.id}", url: "${PR}", createAsUser: "boss") { success }`,
    ),
    write(
      'an attachment elsewhere',
      `attachmentCreate(input: { issueId: "${w.otherId}", title: "x", url: "${PR}" }) { success }`,
    ),
    write('a deleted attachment', 'attachmentDelete(id: "attachment-0") { success }'),
    write('a label elsewhere', `issueAddLabel(id: "${w.otherId}", labelId: "label-bug") { success }`),
    write('a webhook', 'webhookCreate(input: { url: "https://example.com" }) { success }'),
    write('a new key', 'apiKeyCreate(input: { label: "x" }) { success }'),
    write('the end of all sessions', 'logoutAllSessions { success }'),
    write('the end of the organization', 'organizationDelete(input: { deletionCode: "x" }) { success }'),
    write('a user', 'userUpdate(id: "me", input: { displayName: "x" }) { success }'),
    write(
      'the issues of the team in the answer',
      `issueUpdate(id: "${w.id}", input: { ${review} }) { success issue { team { issues { nodes { title } } } } }`,
    ),
    write(
      'the text of others in the answer',
      `commentCreate(input: { issueId: "${w.id}", body: "x" }) { comment { issue { description } } }`,
    ),
  ];
}

function hostileShapes(w: RequestValues): readonly Request[] {
  const one = `issue(id: "${w.id}") { id }`;
  const nested = `${'{ children { nodes '.repeat(12)}{ id }${' } }'.repeat(12)}`;
  const fragments = Array.from(
    { length: 12 },
    (_, i) => `fragment F${i} on Issue { ...F${i + 1} ...F${i + 1} }`,
  );
  return [
    ['two operations', { query: `query A { ${one} } mutation B { issueDelete(id: "${w.id}") { success } }` }],
    ['two queries', { query: `query A { ${one} } query B { ${one} }` }],
    ['a subscription', { query: 'subscription { issues { id } }' }],
    ['a batch', [{ query: `{ ${one} }` }, { query: `{ ${one} }` }]],
    ['a batch in the query', { query: [`{ ${one} }`] }],
    ['another operation name', { query: `{ ${one} }`, operationName: 'B' }],
    ['another endpoint', { query: `{ ${one} }`, endpoint: 'https://example.com' }],
    ['no query', {}],
    ['a blank query', { query: '  \n' }],
    ['a blank text', '   '],
    ['nothing', null],
    ['a number', 7],
    ['variables as a text', { query: `{ ${one} }`, variables: '{"id": 1}' }],
    ['variables as a list', { query: `{ ${one} }`, variables: [1] }],
    ['a type definition', { query: `{ ${one} } type Query { x: Int }` }],
    ['a schema extension', { query: `{ ${one} } extend type Issue { x: Int }` }],
    ['only a fragment', { query: 'fragment F on Issue { id }' }],
    ['no such fragment', { query: '{ ...Nothing }' }],
    [
      'two fragments of one name',
      {
        query: `{ issue(id: "${w.id}") { ...F } } fragment F on Issue { id } fragment F on Issue { team { issues { nodes { id } } } }`,
      },
    ],
    ['a fragment in itself', { query: `{ issue(id: "${w.id}") { ...F } } fragment F on Issue { id ...F }` }],
    [
      'fragments that multiply',
      {
        query: `{ issue(id: "${w.id}") { ...F0 } } ${fragments.join(' ')} fragment F12 on Issue { id title url }`,
      },
    ],
    ['a deep query', { query: `{ issue(id: "${w.id}") ${nested} }` }],
    [
      'many fields',
      {
        query: `{ issue(id: "${w.id}") { ${Array.from({ length: 1600 }, (_, i) => `a${i}: id`).join(' ')} } }`,
      },
    ],
    ['many roots', { query: `{ ${Array.from({ length: 11 }, (_, i) => `a${i}: ${one}`).join(' ')} }` }],
    ['a large text', { query: `{ ${one} } # ${'x'.repeat(65 * 1024)}` }],
    ['many tokens', { query: `{ issue(id: "${w.id}") { ${'id '.repeat(6000)} } }` }],
    ['an unknown directive', { query: `{ issue(id: "${w.id}") { id @internal } }` }],
    ['a directive on the operation', { query: `query @live { ${one} }` }],
    [
      'a variable declared twice',
      { query: `query($id: String = "${w.id}", $id: String = "${w.otherId}") { issue(id: $id) { id } }` },
    ],
    ['broken text', { query: '{ issue(id: ' }],
    ['a control character', { query: `{ issue(id: "${w.id}") { id \u0000 } }` }],
    [
      'introspection in fragments',
      { query: '{ __schema { ...F } } fragment F on __Schema { types { name } }' },
    ],
    ['introspection in a mutation', { query: 'mutation { __schema { types { name } } }' }],
  ];
}
