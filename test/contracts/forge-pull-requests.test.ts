import { afterEach, describe, expect, it } from 'vitest';
import { pullOf } from '../fakes/forge/pulls.ts';
import { BRANCH, FORGES, type ForgeFixture, type ForgeSubject } from './forge-fixture.ts';

let fixture: ForgeFixture | null = null;
afterEach(async () => {
  await fixture?.fake.finish();
  fixture = null;
});

async function opened(subject: ForgeSubject): Promise<ForgeFixture> {
  fixture = await subject.open();
  return fixture;
}

const writes = ({ fake }: ForgeFixture): readonly string[] =>
  fake.requests
    .filter(({ method, address }) => method !== 'GET' && !address.endsWith('graphql'))
    .map(({ method, address }) => `${method} ${address}`);

describe.each(FORGES)('pull requests on $name', (subject) => {
  it('opens the pull request of the branch', async () => {
    const on = await opened(subject);
    const result = await on.use('pull_request_open', { title: 'Say hello', body: 'Closes #7' });
    expect(result).toMatchObject({
      success: true,
      output: {
        number: 1,
        state: 'open',
        draft: false,
        title: 'Say hello',
        base: 'main',
        head: { branch: BRANCH },
        existing: false,
      },
      effect: { kind: 'pull_request', url: expect.stringMatching(/\/octo\/app\/pulls?\/1$/) },
    });
    expect(on.fake.store.issue(1)).toMatchObject({
      title: 'Say hello',
      body: 'Closes #7',
      pull: { head: BRANCH, base: 'main', headRepository: 'octo/app' },
    });
  });

  it('finds the one that is open, whoever opened it, and leaves it as it is', async () => {
    const on = await opened(subject);
    const number = on.addPull({ title: 'Mine', author: 'ada', base: 'release' });
    const result = await on.use('pull_request_open', {
      title: 'Another',
      body: 'x',
      draft: true,
      reviewers: ['rita'],
    });
    expect(result).toMatchObject({
      success: true,
      output: { number, title: 'Mine', existing: true, note: expect.stringContaining('pull_request_update') },
      effect: { kind: 'pull_request' },
    });
    expect(writes(on)).toEqual([]);
    expect(on.fake.store.issues.size).toBe(1);
  });

  it('takes neither a fork, nor another branch, nor a closed one for its own', async () => {
    const on = await opened(subject);
    on.addPull({ headRepository: 'evil/app' });
    on.addPull({ head: 'feature' });
    on.addPull({ head: `${BRANCH}1` });
    on.addPull({ closed: true });
    on.addPull({ closed: true, merged: true });
    expect(await on.use('pull_request_open', { title: 'New' })).toMatchObject({
      success: true,
      output: { number: 6, existing: false },
    });
  });

  it('answers with the one that somebody opened in the meantime', async () => {
    const on = await opened(subject);
    const number = on.addPull({ title: 'Faster' });
    on.fake.failNext(/GET .*pulls\?state=(?:all|open)/, { kind: 'change', change: () => [] });
    expect(await on.use('pull_request_open', { title: 'Slower' })).toMatchObject({
      success: true,
      output: { number, title: 'Faster', existing: true },
    });
  });

  it('opens a draft, for reviewers, into another base', async () => {
    const on = await opened(subject);
    const input = { title: 'Draft', draft: true, reviewers: ['rita', 'ada'], base: 'release' };
    expect(await on.use('pull_request_open', input)).toMatchObject({
      success: true,
      output: { title: 'Draft', draft: true, base: 'release', reviewers: ['rita', 'ada'] },
    });
    expect(pullOf(on.fake.store.issue(1))).toMatchObject({ base: 'release', reviewers: ['rita', 'ada'] });
    expect(await on.use('pull_request_get', {})).toMatchObject({
      output: { pull_request: { draft: true, waiting_for_review_by: ['rita', 'ada'] } },
    });
  });

  it('keeps the pull request when a reviewer is refused, and says so', async () => {
    const on = await opened(subject);
    expect(await on.use('pull_request_open', { title: 'Hello', reviewers: ['stranger'] })).toMatchObject({
      success: true,
      output: {
        number: 1,
        reviewers_refused: expect.stringMatching(/refused these reviewers .*(?:collaborators|not exist)/),
      },
    });
    expect(await on.use('pull_request_update', { reviewers: ['stranger'] })).toMatchObject({
      success: false,
      error: { code: 'forge_refused' },
    });
  });

  it.each([
    [
      'is not pushed',
      'branch_not_pushed',
      { title: 'x' },
      () => fixture?.fake.store.branches?.delete(BRANCH),
    ],
    [
      'has no commits',
      'no_commits',
      { title: 'x' },
      () => fixture?.fake.store.branches?.set(BRANCH, { ahead: 0 }),
    ],
    ['has no base', 'no_such_base', { title: 'x', base: 'nowhere' }, () => {}],
    ['is its own base', 'invalid_arguments', { title: 'x', base: BRANCH }, () => {}],
  ])('says what to do when the branch %s', async (_what, code, input, prepare) => {
    const on = await opened(subject);
    prepare();
    const result = await on.use('pull_request_open', input);
    expect(result).toMatchObject({ success: false, error: { code } });
    if (code === 'branch_not_pushed' || code === 'no_commits')
      expect(JSON.stringify(result)).toContain('branch_push');
    expect(on.fake.store.issues.size).toBe(0);
  });

  it('changes title, text, draft, state and reviewers of its own pull request', async () => {
    const on = await opened(subject);
    const other = on.addPull({ title: 'Theirs', head: 'feature' });
    const own = on.addPull({ title: 'Mine' });
    const update = (input: object) => on.use('pull_request_update', input);
    expect(await update({ title: 'Better', body: 'Text' })).toMatchObject({
      output: { number: own, title: 'Better', draft: false },
      effect: { kind: 'pull_request' },
    });
    expect(on.fake.store.issue(own)).toMatchObject({ title: 'Better', body: 'Text' });
    expect(await update({ draft: true })).toMatchObject({ output: { title: 'Better', draft: true } });
    expect(await update({ title: 'Best' })).toMatchObject({ output: { title: 'Best', draft: true } });
    expect(await update({ draft: false })).toMatchObject({ output: { title: 'Best', draft: false } });
    expect(await update({ state: 'closed' })).toMatchObject({ output: { state: 'closed' } });
    expect(await update({ state: 'open', reviewers: ['rita'] })).toMatchObject({
      output: { state: 'open', reviewers: ['rita'] },
    });
    expect(on.fake.store.issue(own)).toMatchObject({ title: 'Best', body: 'Text', closed: false });
    expect(on.fake.store.issue(other)).toMatchObject({ title: 'Theirs', closed: false });
  });

  it('changes nothing without a pull request, and nothing of a merged one', async () => {
    const on = await opened(subject);
    expect(await on.use('pull_request_update', { title: 'x' })).toMatchObject({
      error: { code: 'no_pull_request', message: expect.stringContaining('pull_request_open') },
    });
    on.addPull({ closed: true, merged: true });
    expect(await on.use('pull_request_update', { state: 'open' })).toMatchObject({
      error: { code: 'pull_request_merged' },
    });
    expect(await on.use('pull_request_get', {})).toMatchObject({
      output: { pull_request: { state: 'merged' } },
    });
    expect(writes(on)).toEqual([]);
  });

  it('does nothing for a run without a branch', async () => {
    const on = await opened(subject);
    for (const [name, input] of [
      ['pull_request_open', { title: 'x' }],
      ['pull_request_update', { title: 'x' }],
      ['pull_request_get', {}],
    ] as const) {
      for (const branch of [null, '', undefined])
        expect(await on.use(name, input, branch === undefined ? { branch: null } : { branch })).toMatchObject(
          {
            error: { code: 'no_branch' },
          },
        );
    }
    expect(on.fake.requests).toEqual([]);
  });
});
