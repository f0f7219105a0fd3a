import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import type { LinearTrackerOptions } from '../../../src/trackers/linear/adapter.ts';
import { currentIssue, never, type SeedIssue } from '../../contracts/tracker-fixture.ts';
import { rememberFollowUps } from '../../fakes/follow-ups.ts';
import { createLinearFixture, type LinearFixture } from '../../fakes/linear/fixture.ts';
import { FAKE_KEY } from '../../fakes/linear/server.ts';
import { TEAM } from '../../fakes/linear/store.ts';

const fixtures: LinearFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

const SEED: readonly SeedIssue[] = [{ key: 'A', state: 'In Progress', title: 'Mine' }];
const PR = 'https://git.example.com/acme/app/pull/1';

async function open(
  options: Partial<LinearTrackerOptions> = {},
): Promise<{ fixture: LinearFixture; issue: Issue }> {
  const fixture = await createLinearFixture(SEED, options);
  fixtures.push(fixture);
  return { fixture, issue: await currentIssue(fixture, 'A') };
}

let followUps = rememberFollowUps();

beforeEach(() => {
  followUps = rememberFollowUps();
});

function call(fixture: LinearFixture, issue: Issue, name: string, input: unknown): Promise<ToolResult> {
  return fixture.tracker.tools.execute({ name, arguments: input }, { issue, signal: never, followUps });
}

function moveTo(fixture: LinearFixture, issue: Issue, state: string): Promise<ToolResult> {
  const stateId = fixture.fake.store.stateNamed(state).id;
  const query = `mutation { issueUpdate(id: "${issue.id}", input: { stateId: "${stateId}" }) { success } }`;
  return call(fixture, issue, 'linear_graphql', { query });
}

function codeOf(result: ToolResult): string {
  return result.success ? 'success' : result.error.code;
}

describe('linear_graphql', () => {
  it('is described as agents of the Go worker and of Symphony know it', async () => {
    const { fixture } = await open();
    const spec = fixture.tracker.tools.specs.find(({ name }) => name === 'linear_graphql');
    expect(spec?.description).toContain('Linear');
    expect(spec?.inputSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: { query: { type: 'string' }, variables: expect.anything() },
    });
    expect(fixture.tracker.tools.secretEnvironmentNames).toContain('LINEAR_API_KEY');
  });

  it('reports a hand-off as evidence, with the states before and after', async () => {
    const { fixture, issue } = await open();
    expect(await moveTo(fixture, issue, 'Human Review')).toMatchObject({
      success: true,
      effect: { kind: 'state_changed', from: 'In Progress', to: 'Human Review' },
    });
    expect((await currentIssue(fixture, 'A')).state).toBe('Human Review');
    expect(fixture.lines).toContainEqual({
      level: 'info',
      message: 'agent changed its issue',
      fields: expect.objectContaining({
        issue_identifier: issue.identifier,
        operation_fields: ['issueUpdate'],
      }),
    });
  });

  it('reports no hand-off that did not happen', async () => {
    const { fixture, issue } = await open();
    const same = await moveTo(fixture, issue, 'In Progress');
    expect(same).toMatchObject({ success: true });
    expect(same).not.toHaveProperty('effect');
    const refusal = {
      kind: 'change',
      change: () => ({ data: { issueUpdate: { success: false } } }),
    } as const;
    fixture.fake.faults.push({ kind: 'change', change: (answer) => answer }, refusal);
    expect(await moveTo(fixture, issue, 'Done')).not.toHaveProperty('effect');
  });

  it.each([
    ['Cancelled', 'In Progress', 'current_issue_terminal'],
    ['Cancelled', 'Human Review', 'current_issue_terminal'],
    ['Done', 'Todo', 'current_issue_terminal'],
    ['Backlog', 'In Progress', 'current_issue_not_active'],
    ['Human Review', 'Todo', 'current_issue_not_active'],
  ])('never takes an issue that a person moved to %s on to %s', async (stopped, target, code) => {
    const { fixture, issue } = await open();
    await fixture.move('A', stopped);
    expect(codeOf(await moveTo(fixture, issue, target))).toBe(code);
    expect((await currentIssue(fixture, 'A')).state).toBe(stopped);
    expect(fixture.lines).toContainEqual({
      level: 'info',
      message: 'agent request refused',
      fields: expect.objectContaining({ issue_id: issue.id, tool: 'linear_graphql', reason: code }),
    });
  });

  it('changes nothing of an issue that was closed, deleted or moved to another project', async () => {
    const { fixture, issue } = await open();
    const own = fixture.fake.store.issue(issue.id);
    const query = `mutation { issueUpdate(id: "${issue.id}", input: { title: "New" }) { success } }`;
    await fixture.move('A', 'Done');
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('current_issue_terminal');
    await fixture.move('A', 'In Progress');
    own.trashed = true;
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('current_issue_terminal');
    own.trashed = false;
    own.projectSlug = 'elsewhere';
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('out_of_scope');
    expect(own.title).toBe('Mine');
  });

  it('moves no issue into a terminal state that is left to people', async () => {
    const { fixture, issue } = await open({ allowTerminal: false });
    expect(await moveTo(fixture, issue, 'Done')).toMatchObject({
      success: false,
      error: { code: 'terminal_not_allowed', message: expect.stringContaining('Human Review') },
    });
    expect((await currentIssue(fixture, 'A')).state).toBe('In Progress');
    expect(codeOf(await moveTo(fixture, issue, 'Human Review'))).toBe('success');
  });

  it('files follow-ups that wait for a person, and ties them to its own issue', async () => {
    const { fixture, issue } = await open();
    const { store } = fixture.fake;
    const place = `teamId: "${TEAM.id}", projectId: "${String(issue.nativeRef?.['project_id'])}"`;
    const create = (state: string): Promise<ToolResult> => {
      const input = `{ ${place}, title: "More", stateId: "${store.stateNamed(state).id}" }`;
      const query = `mutation { made: issueCreate(input: ${input}) { success issue { id identifier } } }`;
      return call(fixture, issue, 'linear_graphql', { query });
    };
    expect(codeOf(await create('Todo'))).toBe('follow_up_not_parked');
    const made = await create('Backlog');
    if (!made.success) throw new Error(made.error.message);
    const { id } = (made.output as { data: { made: { issue: { id: string } } } }).data.made.issue;
    expect(made).not.toHaveProperty('effect');
    const relate = (other: string): Promise<ToolResult> => {
      const input = `{ issueId: "${issue.id}", relatedIssueId: "${other}", type: blocks }`;
      const query = `mutation { issueRelationCreate(input: ${input}) { success } }`;
      return call(fixture, issue, 'linear_graphql', { query });
    };
    expect(await relate(id)).toMatchObject({ success: true });
    expect(codeOf(await relate(store.addIssue({ state: 'Todo' }).id))).toBe('out_of_scope');
    for (let count = 1; count < 10; count += 1) expect(codeOf(await create('Backlog'))).toBe('success');
    expect(codeOf(await create('Backlog'))).toBe('too_many_follow_ups');
    expect(followUps.read()).toMatchObject({ count: 10, names: expect.arrayContaining([id.toLowerCase()]) });
    await fixture.move('A', 'Done');
    expect(codeOf(await create('Backlog'))).toBe('current_issue_terminal');
  });

  it.each([
    ['its title', (id: string) => ({ title: id, answer: 'issue { id: title identifier: title }' })],
    ['the payload', (id: string) => ({ title: id, answer: 'issue { id: title }' })],
    ['a fragment', (id: string) => ({ title: id, answer: '... on IssuePayload { issue { id: title } }' })],
  ])('learns no foreign issue from an answer whose fields an agent renamed: %s', async (_, trick) => {
    const { fixture, issue } = await open();
    const { store } = fixture.fake;
    const foreign = store.addIssue({ state: 'Todo' }).id;
    const { title, answer } = trick(foreign);
    const place = `teamId: "${TEAM.id}", projectId: "${String(issue.nativeRef?.['project_id'])}"`;
    const input = `{ ${place}, title: "${title}", stateId: "${store.stateNamed('Backlog').id}" }`;
    const create = `mutation { issueCreate(input: ${input}) { success ${answer} } }`;
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query: create }))).toBe('alias_not_allowed');
    const relation = `{ issueId: "${issue.id}", relatedIssueId: "${foreign}", type: blocks }`;
    const query = `mutation { issueRelationCreate(input: ${relation}) { success } }`;
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('out_of_scope');
  });

  it.each([
    [
      'commentCreate',
      (id: string) => `commentCreate(input: { issueId: "${id}", body: "x" }) @skip(if: true)`,
    ],
    ['include', (id: string) => `commentCreate(input: { issueId: "${id}", body: "x" }) @include(if: false)`],
    [
      'a link',
      (id: string) => `attachmentLinkURL(issueId: "${id}", url: "https://x.test/1") @skip(if: true)`,
    ],
  ])('counts no write that the answer does not speak of: %s', async (_, write) => {
    const { fixture, issue } = await open();
    const query = `mutation {
      issueUpdate(id: "${issue.id}", input: { title: "Same" }) { success }
      ${write(issue.id)} { success }
    }`;
    const result = await call(fixture, issue, 'linear_graphql', { query });
    expect(result).toMatchObject({ success: true });
    expect(result).not.toHaveProperty('effect');
  });

  it('shows no title that nobody vouches for where authors are judged', async () => {
    const trust = { authors: [], labels: [], associations: [] };
    const { fixture, issue } = await open({ trust });
    for (const fields of [
      'attachments { nodes { title } }',
      'attachments { nodes { subtitle metadata } }',
      'relations { nodes { relatedIssue { title } } }',
      'parent { title }',
      'children { nodes { title } }',
      'history { nodes { toTitle } }',
    ]) {
      const query = `{ issue(id: "${issue.id}") { ${fields} } }`;
      expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('field_not_allowed');
    }
    const open2 = `{ issue(id: "${issue.id}") { attachments { nodes { url } } } }`;
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query: open2 }))).toBe('success');
  });

  it('files nothing by default where authors are judged', async () => {
    const trust = { authors: [], labels: [], associations: [] };
    const { fixture, issue } = await open({ trust });
    const query = 'mutation { issueCreate(input: { teamId: "t", title: "x" }) { success } }';
    expect(codeOf(await call(fixture, issue, 'linear_graphql', { query }))).toBe('mutation_not_allowed');
  });

  it('refuses a move when the present state cannot be read', async () => {
    const { fixture, issue } = await open();
    fixture.fake.faults.push({ kind: 'cut' }, { kind: 'cut' });
    expect(codeOf(await moveTo(fixture, issue, 'Human Review'))).toBe('current_issue_state_refresh_failed');
    expect((await currentIssue(fixture, 'A')).state).toBe('In Progress');
  });

  it('sends no mutation while mutations are off, and only listed ones when there is a list', async () => {
    const off = await open({ mutations: { allowMutations: false, allowedMutations: [] } });
    expect(codeOf(await moveTo(off.fixture, off.issue, 'Human Review'))).toBe('mutations_not_allowed');
    const listed = await open({
      mutations: { allowMutations: true, allowedMutations: ['commentCreate', 'issueDelete'] },
    });
    expect(codeOf(await moveTo(listed.fixture, listed.issue, 'Human Review'))).toBe('mutation_not_allowed');
    const comment = `mutation { commentCreate(input: { issueId: "${listed.issue.id}", body: "x" }) { success } }`;
    expect(await call(listed.fixture, listed.issue, 'linear_graphql', { query: comment })).toMatchObject({
      success: true,
      effect: { kind: 'commented' },
    });
    const deletion = `mutation { issueDelete(id: "${listed.issue.id}") { success } }`;
    expect(codeOf(await call(listed.fixture, listed.issue, 'linear_graphql', { query: deletion }))).toBe(
      'mutation_not_allowed',
    );
  });

  it('hands the errors of Linear to the agent', async () => {
    const { fixture, issue } = await open();
    fixture.fake.faults.push({
      kind: 'change',
      change: () => ({ data: null, errors: [{ message: `Too long, ${FAKE_KEY}` }] }),
    });
    const result = await call(fixture, issue, 'linear_graphql', {
      query: `{ issue(id: "${issue.id}") { id } }`,
    });
    expect(codeOf(result)).toBe('graphql_errors');
    expect(JSON.stringify(result)).toContain('Too long');
    expect(JSON.stringify(result)).not.toContain(FAKE_KEY);
  });

  it('reads at most 1 MiB', async () => {
    const { fixture, issue } = await open();
    fixture.fake.faults.push({ kind: 'change', change: () => ({ data: { x: 'y'.repeat(1024 * 1024) } }) });
    const result = await call(fixture, issue, 'linear_graphql', {
      query: `{ issue(id: "${issue.id}") { id } }`,
    });
    expect(codeOf(result)).toBe('tracker_response');
  });

  it('lets the credential through in neither direction', async () => {
    const { fixture, issue } = await open();
    fixture.fake.store.issue(issue.id).description = `the key is ${FAKE_KEY}`;
    const read = await call(fixture, issue, 'linear_graphql', {
      query: `{ issue(id: "${issue.id}") { description } }`,
    });
    expect(JSON.stringify(read)).toContain('the key is');
    expect(JSON.stringify(read)).not.toContain(FAKE_KEY);
    await call(fixture, issue, 'linear_graphql', {
      query: 'mutation($i: CommentCreateInput!) { commentCreate(input: $i) { success } }',
      variables: { i: { issueId: issue.id, body: `I found ${FAKE_KEY}` } },
    });
    await call(fixture, issue, 'issue_comment', { body: `And again ${FAKE_KEY}` });
    const comments = await fixture.comments('A');
    expect(comments).toHaveLength(2);
    expect(comments.join()).toContain('I found');
    expect(comments.join()).not.toContain(FAKE_KEY);
  });
});

describe('issue_get', () => {
  it('shows the last 50 comments, oldest first, with their authors', async () => {
    const { fixture, issue } = await open();
    const { store } = fixture.fake;
    for (let index = 0; index < 70; index += 1)
      store.addComment(issue.id, `talk ${index}`, index % 2 === 0 ? (store.users[1]?.id ?? null) : null);
    const result = await call(fixture, issue, 'issue_get', {});
    const { comments } = (result.success ? result.output : {}) as {
      comments: { body: string; author: string }[];
    };
    expect(comments.map(({ body }) => body)).toEqual(
      Array.from({ length: 50 }, (_, index) => `talk ${index + 20}`),
    );
    expect(comments.slice(0, 2).map(({ author }) => author)).toEqual(['ada', 'bot']);
  });
});

it('sends the token of an application as a bearer', async () => {
  const fixture = await createLinearFixture(SEED, { apiKey: new Secret('lin_oauth_dummy000000000000') });
  fixtures.push(fixture);
  fixture.fake.authorization = 'Bearer lin_oauth_dummy000000000000';
  expect(await currentIssue(fixture, 'A')).toMatchObject({ title: 'Mine' });
});

describe('linear_ai_workpad', () => {
  it('keeps one comment up to date', async () => {
    const { fixture, issue } = await open();
    const { store } = fixture.fake;
    for (let index = 0; index < 60; index += 1) store.addComment(issue.id, `talk ${index}`);
    store.addComment(issue.id, '<!-- aiops:ai-workpad -->\nnot the worker', store.users[1]?.id ?? null);
    const variables = { issueId: issue.identifier, branch: 'ai/x', prUrl: PR, summary: 'Half', next: 'Rest' };
    expect(await call(fixture, issue, 'linear_ai_workpad', { variables })).toMatchObject({
      success: true,
      output: { created: true },
      effect: { kind: 'commented' },
    });
    const second = { variables: { issueId: issue.id, summary: 'Whole', blocker: 'None' } };
    expect(await call(fixture, issue, 'linear_ai_workpad', second)).toMatchObject({
      output: { created: false },
    });
    const pads = (await fixture.comments('A')).filter((body) => body.startsWith('<!-- aiops:ai-workpad -->'));
    expect(pads).toEqual([
      '<!-- aiops:ai-workpad -->\nnot the worker',
      '<!-- aiops:ai-workpad -->\n# AI Workpad\n\n## Summary\n\nWhole\n\n## Blocker\n\nNone',
    ]);
  });

  it('is for the own issue only and takes nothing else', async () => {
    const { fixture, issue } = await open();
    const other = fixture.fake.store.addIssue({ state: 'Todo' });
    for (const input of [
      { variables: { issueId: other.id } },
      { variables: { issueId: 'ENG-2' } },
      { variables: {} },
      { variables: { issueId: issue.id, prUrl: 'javascript:alert(1)' } },
      { variables: { issueId: issue.id, body: 'x' } },
      { issueId: issue.id },
    ]) {
      expect((await call(fixture, issue, 'linear_ai_workpad', input)).success, JSON.stringify(input)).toBe(
        false,
      );
    }
    expect(fixture.fake.store.comments).toEqual([]);
  });
});

describe('pr_link', () => {
  it('links a pull request once and reports it', async () => {
    const { fixture, issue } = await open();
    for (let round = 0; round < 2; round += 1) {
      expect(await call(fixture, issue, 'pr_link', { url: PR, title: 'The work' })).toMatchObject({
        success: true,
        effect: { kind: 'pull_request', url: PR },
      });
    }
    expect(fixture.fake.store.attachments).toMatchObject([{ issueId: issue.id, url: PR, title: 'The work' }]);
    expect(await call(fixture, issue, 'issue_get', {})).toMatchObject({
      output: { links: [{ title: 'The work', url: PR }] },
    });
  });

  it.each(['ftp://example.com/x', 'javascript:alert(1)', 'https://me:pw@example.com/x', 'pull/1', ''])(
    'refuses %j',
    async (url) => {
      const { fixture, issue } = await open();
      expect(codeOf(await call(fixture, issue, 'pr_link', { url }))).toBe('invalid_arguments');
    },
  );
});

it('never sends a change twice, and says when Linear did not confirm it', async () => {
  const { fixture, issue } = await open();
  const pass = { kind: 'change', change: (answer: Record<string, unknown>) => answer } as const;
  fixture.fake.faults.push(pass, { kind: 'reset' });
  expect(codeOf(await call(fixture, issue, 'issue_comment', { body: 'once' }))).toBe('tracker_request');
  expect(fixture.fake.requests.filter(({ operation }) => operation === 'CreateComment')).toHaveLength(1);
  fixture.fake.faults.push(pass, {
    kind: 'change',
    change: () => ({ data: { issueUpdate: { success: false } } }),
  });
  expect(codeOf(await call(fixture, issue, 'issue_move', { state: 'Done' }))).toBe('tracker_response');
});
