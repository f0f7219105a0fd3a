import { TEAM } from '../../fakes/linear/store.ts';
import { hostileRequests } from '../../integration/linear/requests.ts';
import { type Attack, inShell, type Step, type Surroundings } from './attack.ts';

const REFUSED = /"success":false/;
const COMMIT =
  'git config user.email e@x.invalid; git config user.name E; echo x >> README.md; git commit -qam x;';
const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

function tool(name: string, args: unknown): Step {
  return { tool: { name, arguments: args } };
}

function refused(name: string, ...steps: readonly Step[]): Attack {
  return { name, steps, inLoot: [REFUSED], notInLoot: [/"success":true/] };
}

export function toolAttacks(s: Surroundings): readonly Attack[] {
  const other = {
    issue: s.otherIdentifier,
    issueId: s.otherId,
    id: s.otherId,
    identifier: s.otherIdentifier,
  };
  return [
    refused(
      'another issue moved',
      tool('issue_move', { state: 'Done', ...other }),
      tool('issue_move', { state: 'Todo', issue: s.otherId }),
    ),
    refused('another issue commented', tool('issue_comment', { body: 'x', ...other })),
    refused('another issue read', tool('issue_get', other)),
    refused(
      'a state that is none',
      ...['', '../Done', 'Done\u0000', '__proto__', 'x'.repeat(100_000)].map((state) =>
        tool('issue_move', { state }),
      ),
    ),
    refused(
      'tools that are none',
      ...['', '../issue_move', '__proto__', 'constructor', 'ISSUE_MOVE', 'x'.repeat(100_000)].map((name) =>
        tool(name, {}),
      ),
    ),
    refused('arguments that are none', ...[null, [], 'x', 1, true].map((args) => tool('issue_move', args))),
    refused(
      'arguments of prototypes',
      tool(
        'issue_move',
        JSON.parse('{"__proto__":{"state":"Done"},"constructor":{"prototype":{"polluted":1}}}'),
      ),
    ),
    {
      // Such a line is dropped before anything reads it, so there is no answer to wait for.
      name: 'arguments too deep to be read',
      steps: [
        { storm: { name: 'issue_comment', arguments: deep(900), times: 1 } },
        { storm: { name: 'linear_graphql', arguments: { variables: { a: deep(900) } }, times: 1 } },
      ],
      notInLoot: [/"success":true/],
    },
    refused(
      'arguments of five megabytes',
      tool('issue_move', { state: 'x'.repeat(5_000_000) }),
      tool('linear_graphql', 'x'.repeat(5_000_000)),
    ),
    {
      name: 'a comment of five megabytes',
      steps: [tool('issue_comment', { body: 'x'.repeat(5_000_000) })],
      notInLoot: [/"success":true/],
    },
    {
      name: 'five hundred calls at once',
      steps: [{ storm: { name: 'issue_get', arguments: {}, times: 500 } }],
    },
    refused(
      'links to elsewhere',
      ...['javascript:alert(1)', 'file:///etc/passwd', '../../etc/passwd', '', 'http://x\u0000y'].map((url) =>
        tool('pr_link', { url, title: 'x' }),
      ),
    ),
    refused(
      'the whole corpus of refused queries',
      ...hostileQueries(s).map((input) => tool('linear_graphql', input)),
    ),
    ...graphqlAttacks(s),
    ...pullRequestAttacks(s),
    ...pushAttacks(s),
  ];
}

/** What the guard of the raw tool refuses, one by one, from the tests of the guard. */
function hostileQueries(s: Surroundings): readonly unknown[] {
  const states = ['Todo', 'In Progress', 'Human Review', 'Backlog', 'Done'];
  const [todo = '', progress = '', review = '', backlog = '', done = ''] = states.map(
    (_, index) => `57a7e000-0000-4000-8000-00000000000${[1, 2, 3, 0, 4][index]}`,
  );
  const world = {
    id: s.id,
    identifier: s.identifier,
    otherId: s.otherId,
    otherIdentifier: s.otherIdentifier,
  };
  const comments = { ownComment: 'c1', personComment: 'c2', otherComment: 'c3' };
  const project = { teamId: TEAM.id, projectId: 'p' };
  return hostileRequests({ ...world, ...comments, ...project, todo, progress, review, backlog, done }).map(
    ([, input]) => input,
  );
}

function graphqlAttacks(s: Surroundings): readonly Attack[] {
  const query = (name: string, ...queries: readonly string[]): Attack =>
    refused(name, ...queries.map((text) => tool('linear_graphql', { query: text })));
  const update = `issueUpdate(id: "${s.otherId}", input: { title: "taken" }) { success }`;
  const relate = (id: string): string =>
    `mutation { issueRelationCreate(input: { issueId: "${s.id}", relatedIssueId: "${id}", type: blocks }) { success } }`;
  return [
    {
      name: 'an alias that teaches the guard a foreign issue',
      steps: [
        tool('linear_graphql', { query: `{ issue(id: "${s.id}") { id: title identifier: description } }` }),
        tool('linear_graphql', {
          query: `{ issue(id: "${s.id}") { children { nodes { id: title } } id: branchName } }`,
        }),
        tool('linear_graphql', { query: relate(s.otherId) }),
      ],
      inLoot: [REFUSED],
    },
    query(
      'a foreign issue under its own name',
      `mutation { issue: ${update} }`,
      `mutation { own: ${update} }`,
    ),
    query(
      'a change that is skipped',
      `mutation { ${update.replace(' {', ' @skip(if: false) {')} }`,
      `mutation { issueUpdate(id: "${s.otherId}", input: { title: "x" }) @include(if: true) { success } }`,
    ),
    query(
      'a change behind a fragment',
      `mutation { ...F } fragment F on Mutation { ${update} }`,
      `mutation { ... on Mutation { ${update} } }`,
    ),
    query('a change behind another operation', `query A { viewer { id } } mutation B { ${update} }`),
    query(
      'a thousand aliases',
      `mutation { ${Array.from({ length: 1_000 }, (_, n) => `a${n}: ${update}`).join(' ')} }`,
    ),
    query('selections five thousand levels deep', `{ ${'a { '.repeat(5_000)} id ${'}'.repeat(5_001)}`),
    query(
      'issues that would run',
      `mutation { issueCreate(input: { teamId: "${TEAM.id}", title: "More", stateId: "57a7e000-0000-4000-8000-000000000001" }) { success } }`,
    ),
    query('relations to others', relate(s.otherId), relate(s.otherIdentifier)),
    query(
      'others archived and deleted',
      `mutation { issueDelete(id: "${s.otherId}") { success } }`,
      `mutation { issueArchive(id: "${s.otherIdentifier}") { success } }`,
    ),
    query(
      'settings of the workspace',
      'mutation { webhookCreate(input: { url: "https://evil.example" }) { success } }',
      'mutation { organizationUpdate(input: { name: "x" }) { success } }',
    ),
    query(
      'attachments of others',
      `mutation { attachmentLinkURL(issueId: "${s.otherId}", url: "https://evil.example/../../x") { success } }`,
      `mutation { attachmentCreate(input: { issueId: "${s.otherId}", title: "x", url: "file:///etc/passwd" }) { success } }`,
    ),
  ];
}

function pullRequestAttacks(s: Surroundings): readonly Attack[] {
  const open = (args: object): Step => tool('pull_request_open', { title: 'x', ...args });
  return [
    refused(
      'a pull request of another branch',
      open({ head: `ai/${s.otherIdentifier}` }),
      open({ branch: 'main' }),
      open({ number: 1 }),
    ),
    refused(
      'a pull request into nowhere',
      open({ base: '../../x' }),
      open({ base: '-x' }),
      open({ base: '' }),
      open({ base: 'x..y' }),
    ),
    refused(
      'a pull request of five megabytes',
      open({ body: 'x'.repeat(5_000_000) }),
      open({ title: 'x\ny' }),
    ),
    refused(
      'a pull request of somebody else changed',
      tool('pull_request_update', { number: 1, title: 'x' }),
      tool('pull_request_update', { title: 'x' }),
    ),
    {
      name: 'a pull request that closes others',
      steps: [
        { sh: COMMIT },
        tool('branch_push', {}),
        open({
          title: `Fixes ${s.otherIdentifier}`,
          body: `Closes ${s.otherIdentifier}\nFixes #1\nresolves octo/app#1`,
        }),
        tool('pull_request_update', { body: `Closes ${s.otherIdentifier}` }),
      ],
    },
  ];
}

/** Plain git arrives at the worker; only the run's own branch goes on from there. */
function pushAttacks(s: Surroundings): readonly Attack[] {
  const push = (name: string, what: string): Attack => inShell(name, `${COMMIT} ${what}; true`);
  const requests = '.git/aiops/door.git/requests';
  return [
    push(
      'main pushed',
      'git push origin HEAD:main; git push -f origin HEAD:refs/heads/main; git push origin :main',
    ),
    push(
      'the branch of another',
      `git push origin HEAD:ai/${s.otherIdentifier}; git push origin HEAD:refs/heads/ai/${s.otherId}`,
    ),
    push(
      'everything pushed',
      'git tag evil; git push --mirror; git push --all; git push --tags; git push origin HEAD:refs/for/main HEAD:refs/pull/1/head',
    ),
    push(
      'the remote itself',
      `git push ${s.root}/../remote.git HEAD:main; git push file://${s.root}/../remote.git HEAD:main`,
    ),
    push(
      'a forged request',
      `for n in $(seq 200); do printf '%s refs/heads/main force\\n' $(git rev-parse HEAD) > ${requests}/forged$n; done; sleep 2`,
    ),
    push(
      'requests of every kind',
      `mkfifo ${requests}/pipe01; ln -s /etc/passwd ${requests}/link01; truncate -s 1T ${requests}/large1; mkdir ${requests}/folder1; sleep 2`,
    ),
    push(
      'a relay that is a link',
      `rm -rf .git/aiops/door.git/requests; ln -s ${s.neighbour} ${requests}; rm -rf .git/aiops/door.git/answers; ln -s ${s.neighbour} .git/aiops/door.git/answers; sleep 2`,
    ),
    push(
      'a commit of another',
      `printf '%s refs/heads/%s plain\\n' ${s.foreignHead} $(git branch --show-current) > ${requests}/foreign1; sleep 2`,
    ),
    refused(
      'a push with orders',
      tool('branch_push', { branch: 'main' }),
      tool('branch_push', { force: 'yes' }),
      tool('branch_push', { remote: s.foreign, refspec: 'HEAD:main' }),
    ),
  ];
}
