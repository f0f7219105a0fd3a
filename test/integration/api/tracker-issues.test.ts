import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { redactedEditor } from '../../../src/cli/worker/http/redacted-editor.ts';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { type ApiClient, ApiError, createClient } from '../../../src/contract/client.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { createLocalTracker } from '../../../src/trackers/local/adapter.ts';
import { ask } from '../server/ask.ts';
import { scriptedSource } from '../server/state-fixture.ts';

const TOKEN = 'dummy-own-token';
const HEADERS = { 'x-aiops-refresh': 'true', authorization: `Bearer ${TOKEN}` };
const LIST = API_ROUTES.trackerBoard.path;

const FILE = `---
# Kept as it is
title: "Fix the login page"   # quoted on purpose
state: Todo
labels:
  - Bug
  - ui
estimate: 3 days
---

It fails
on Mondays.

## Comments

### ada, 2026-03-02T08:00:00.000Z

Keep the contrast.
`;

/** What a promise is rejected with. */
async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error('it was not refused');
}

describe('issues that are written through the API', () => {
  let folder: string;
  let app: App;
  let client: ApiClient;
  const path = (name: string): string => join(folder, name);
  const read = (name: string): Promise<string> => readFile(path(name), 'utf8');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aiops-board-'));
    await writeFile(path('TASK-1.md'), FILE);
    const { editor } = createLocalTracker({
      path: folder,
      activeStates: ['Todo', 'In Progress'],
      terminalStates: ['Done'],
      prefix: 'TASK',
      logger: silentLogger,
    });
    if (editor === undefined) throw new Error('the folder cannot be written');
    const redacted = redactedEditor(editor, (text) => text.replaceAll('dummy-secret', '<redacted>'));
    app = createApp(scriptedSource({ issueEditor: () => redacted }), { ownToken: TOKEN });
    client = createClient({
      baseUrl: '',
      token: TOKEN,
      fetch: (url, { method, headers, body }) =>
        ask(app, url, { method, headers, ...(body === undefined ? {} : { body }) }),
    });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are listed by state, the most urgent first, with every state and what is no issue', async () => {
    await writeFile(path('TASK-3.md'), '---\ntitle: Later\nstate: Todo\npriority: 3\n---\n');
    await writeFile(path('TASK-2.md'), '---\ntitle: Odd\nstate: Waiting for Ada\nblocked_by: TASK-3\n---\n');
    await writeFile(path('TASK-4.md'), 'no issue');
    const board = await client.trackerBoard();
    expect(board.states).toEqual([
      { name: 'Todo', kind: 'active' },
      { name: 'In Progress', kind: 'active' },
      { name: 'Backlog', kind: 'waiting' },
      { name: 'Human Review', kind: 'waiting' },
      { name: 'Done', kind: 'finished' },
      { name: 'Waiting for Ada', kind: 'waiting' },
    ]);
    expect(board.issues.map(({ id, labels, comments }) => [id, labels, comments])).toEqual([
      ['TASK-3', [], 0],
      ['TASK-1', ['bug', 'ui'], 1],
      ['TASK-2', [], 0],
    ]);
    expect(board.broken).toEqual([{ name: 'TASK-4.md', problem: 'it does not start with a "---" line' }]);
    expect(board.left_out).toBe(0);
  });

  it('are created under the next number, in the first active state', async () => {
    const made = await client.createIssue({
      title: ' Add \n dark mode ',
      labels: ['UI'],
      description: '## Comments',
    });
    expect(made).toMatchObject({
      identifier: 'TASK-2',
      title: 'Add dark mode',
      state: 'Todo',
      labels: ['ui'],
      description: '## Comments',
      comments: 0,
    });
    expect(await read('TASK-2.md')).toContain('title: Add dark mode\nstate: Todo\nlabels:\n  - ui\n');
    expect(await client.trackerIssue('task-2')).toEqual(made);
  });

  it('change where they are told to, and every other byte stays', async () => {
    const { version } = await client.trackerIssue('TASK-1');
    const changed = await client.changeIssue('TASK-1', {
      version: version ?? '',
      title: 'Fix the: login',
      labels: ['ui', 'urgent'],
      priority: 1,
      description: 'It fails\nalways.',
      state: 'in progress',
    });
    expect(changed).toMatchObject({
      title: 'Fix the: login',
      state: 'In Progress',
      priority: 1,
      comments: 1,
    });
    const [, at] = /^updated_at: (.*)$/m.exec(await read('TASK-1.md')) ?? [];
    expect(await read('TASK-1.md')).toBe(
      FILE.replace('"Fix the login page"', '"Fix the: login"')
        .replace('state: Todo', 'state: In Progress')
        .replace('\n  - Bug\n  - ui', '\n  [ ui, urgent ]')
        .replace('estimate: 3 days\n', `estimate: 3 days\npriority: 1\nupdated_at: ${at}\n`)
        .replace('on Mondays', 'always'),
    );
    const same = await client.changeIssue('TASK-1', {
      version: changed.version ?? '',
      title: 'Fix the: login',
    });
    expect(same.version).toBe(changed.version);
  });

  it('are not overwritten when somebody wrote meanwhile: the answer is how they are now', async () => {
    const { version } = await client.trackerIssue('TASK-1');
    const theirs = FILE.replace('on Mondays', 'on Tuesdays');
    await writeFile(path('TASK-1.md'), theirs);
    const refused = await refusal(client.changeIssue('TASK-1', { version: version ?? '', title: 'Mine' }));
    expect(refused).toMatchObject({ status: 409, code: 'issue_conflict' });
    expect(refused.current).toMatchObject({
      title: 'Fix the login page',
      description: 'It fails\non Tuesdays.',
    });
    expect(await read('TASK-1.md')).toBe(theirs);
    const again = await client.changeIssue('TASK-1', {
      version: refused.current?.version ?? '',
      title: 'Mine',
    });
    expect(again).toMatchObject({ title: 'Mine', description: 'It fails\non Tuesdays.' });
  });

  it('are changed by one of many who read the same, and the others are told', async () => {
    const { version } = await client.trackerIssue('TASK-1');
    const tries = Array.from({ length: 12 }, (_, index) =>
      client.changeIssue('TASK-1', { version: version ?? '', title: `Title ${index}` }).then(
        (issue) => issue.title,
        (error: unknown) =>
          error instanceof ApiError ? `${error.code}: ${error.current?.title}` : 'unexpected',
      ),
    );
    const results = await Promise.all(tries);
    const { title } = await client.trackerIssue('TASK-1');
    expect(results.filter((result) => result === title)).toHaveLength(1);
    expect(results.filter((result) => result === `issue_conflict: ${title}`)).toHaveLength(11);
  });

  it('move whatever else changed, but not when somebody moved them', async () => {
    await writeFile(path('TASK-1.md'), FILE.replace('on Mondays', 'on Tuesdays'));
    expect(await client.moveIssue('TASK-1', { from: 'Todo', to: 'human review' })).toMatchObject({
      state: 'Human Review',
    });
    expect(await read('TASK-1.md')).toContain('on Tuesdays');
    const refused = await refusal(client.moveIssue('TASK-1', { from: 'Todo', to: 'Done' }));
    expect(refused).toMatchObject({ status: 409, current: { state: 'Human Review' } });
    expect(await client.moveIssue('TASK-1', { from: 'Todo', to: 'Human Review' })).toMatchObject({
      state: 'Human Review',
    });
  });

  it('keep a secret that is in their file: it is neither shown nor written over', async () => {
    await writeFile(path('TASK-1.md'), FILE.replace('on Mondays', 'with dummy-secret'));
    expect(await client.trackerIssue('TASK-1')).toMatchObject({
      description: 'It fails\nwith <redacted>.',
      version: null,
    });
    const refused = await refusal(client.changeIssue('TASK-1', { version: 'guessed', title: 'x' }));
    expect(refused.current).toMatchObject({ description: 'It fails\nwith <redacted>.', version: null });
    await client.moveIssue('TASK-1', { from: 'Todo', to: 'Done' });
    expect(await read('TASK-1.md')).toContain('with dummy-secret');
  });

  it('are found by names of issues only', async () => {
    await writeFile(join(folder, '..', 'outside.md'), FILE);
    await symlink(join(folder, '..', 'outside.md'), path('LINK-1.md'));
    for (const name of ['../outside', '..%2foutside', '.lock', 'TASK-1.md', 'nobody', '']) {
      const response = await ask(app, `${LIST}/${encodeURIComponent(name)}`);
      expect([name, response.status]).toEqual([name, 404]);
    }
    const moved = await refusal(client.moveIssue('LINK-1', { from: 'Todo', to: 'Done' }));
    expect(moved).toMatchObject({ status: 422, code: 'invalid_issue_file' });
    await rm(join(folder, '..', 'outside.md'));
  });

  it.each([
    ['{', 'the body'],
    ['{}', 'title'],
    ['{"title":"  "}', 'title'],
    ['{"title":"x","state":"Tudo"}', 'There is no state "Tudo"'],
    ['{"title":"x","colour":"red"}', 'colour'],
    ['{"title":"x","priority":1.5}', 'priority'],
    ['{"title":"x","description":"a\\u0000b"}', 'description'],
    [`{"title":"${'x'.repeat(501)}"}`, 'title'],
  ])('are not written from %s', async (body, told) => {
    const response = await ask(app, LIST, { method: 'POST', headers: HEADERS, body });
    expect(response.status).toBe(400);
    expect(errorEnvelopeSchema.parse(await response.json()).error.message).toContain(told);
    expect((await client.trackerBoard()).issues).toHaveLength(1);
  });

  it('are not made larger than a file may be', async () => {
    const description = 'ä'.repeat(200_000);
    await client.createIssue({ title: 'long', description });
    const response = await ask(app, LIST, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ title: 'x', description: 'x'.repeat(2_200_000) }),
    });
    expect(response.status).toBe(413);
  });

  it.each([
    ['without the token', { 'x-aiops-refresh': 'true' }, 401],
    ['without the header', { authorization: `Bearer ${TOKEN}` }, 403],
    ['from a foreign page', { ...HEADERS, origin: 'https://evil.example' }, 403],
  ])('are not written %s', async (_how, headers, status) => {
    const body = '{"title":"x","from":"Todo","to":"Done","version":"x"}';
    for (const address of [LIST, `${LIST}/TASK-1`, `${LIST}/TASK-1/move`]) {
      const response = await ask(app, address, { method: 'POST', headers, body });
      expect([address, response.status]).toEqual([address, status]);
    }
    expect(await read('TASK-1.md')).toBe(FILE);
  });

  it('take no other method, and are nowhere for another tracker', async () => {
    expect((await ask(app, LIST, { method: 'DELETE', headers: HEADERS })).status).toBe(405);
    expect((await ask(app, `${LIST}/TASK-1/move`)).status).toBe(405);
    expect((await ask(app, `${LIST}/TASK-1/else`)).status).toBe(404);
    const other = createApp(scriptedSource(), { ownToken: TOKEN });
    expect((await ask(other, LIST)).status).toBe(404);
  });
});
