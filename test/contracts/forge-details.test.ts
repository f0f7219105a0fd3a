import { afterEach, describe, expect, it } from 'vitest';
import type { TrustRules } from '../../src/domain/trust.ts';
import { HEAD_SHA } from '../fakes/forge/pulls.ts';
import { BRANCH, FORGES, type ForgeFixture } from './forge-fixture.ts';

let fixture: ForgeFixture | null = null;
afterEach(async () => {
  await fixture?.fake.finish();
  fixture = null;
});

const TRUST: TrustRules = { authors: ['rita', 'bot'], associations: [], labels: [] };
const CHECKS = [
  { name: 'lint', state: 'success', url: 'https://ci.test/1', summary: 'fine' },
  { name: 'test', state: 'failure', url: 'https://ci.test/2', summary: '3 tests failed' },
  { name: 'build', state: 'pending', url: 'https://ci.test/3', summary: '' },
];

describe.each(FORGES)('what is read of a pull request on $name', ({ open }) => {
  it('says when there is none yet', async () => {
    fixture = await open();
    expect(await fixture.use('pull_request_get', {})).toEqual({
      success: true,
      output: { pull_request: null, note: expect.stringContaining(BRANCH) },
    });
  });

  it('shows checks with what failed first, reviews and what is unresolved', async () => {
    fixture = await open();
    const number = fixture.addPull({
      mergeable: false,
      reviewers: ['ada'],
      checks: CHECKS,
      reviews: [{ author: 'rita', state: 'CHANGES_REQUESTED', body: 'Please name it better.' }],
      threads: [
        { path: 'src/a.ts', line: 3, resolved: false, comments: [{ author: 'rita', body: 'Why?' }] },
        { path: 'src/b.ts', line: 9, resolved: true, comments: [{ author: 'rita', body: 'Done' }] },
      ],
    });
    fixture.fake.store.comment(number, 'Looks close', 'ada');
    const result = await fixture.use('pull_request_get', {});
    expect(result).toMatchObject({
      success: true,
      output: {
        pull_request: {
          number,
          mergeable: false,
          waiting_for_review_by: ['ada'],
          head: { commit: HEAD_SHA },
        },
        checks: {
          total: 3,
          failed: 1,
          pending: 1,
          passed: 1,
          items: [
            {
              name: 'test',
              outcome: 'failed',
              status: 'failure',
              url: 'https://ci.test/2',
              summary: '3 tests failed',
            },
            { name: 'build', outcome: 'pending' },
            { name: 'lint', outcome: 'passed', status: 'success' },
          ],
        },
        unresolved_threads: {
          total: 1,
          items: [{ path: 'src/a.ts', line: 3, comments: [{ author: 'rita', body: 'Why?' }] }],
        },
        comments: { total: 1, items: [{ author: 'ada', body: 'Looks close' }] },
      },
    });
    const { items } = reviewsIn(result);
    expect(items).toContainEqual(
      expect.objectContaining({ author: 'rita', state: 'changes_requested', body: 'Please name it better.' }),
    );
    expect(items.map(({ state }) => state)).not.toContain('request_review');
    expect(JSON.stringify(result)).not.toContain('fine');
  });

  it('withholds what strangers wrote where a gate is set', async () => {
    fixture = await open({ trust: TRUST });
    const number = fixture.addPull({
      reviews: [
        { author: 'mallory', state: 'COMMENTED', body: 'evil review' },
        { author: 'rita', state: 'APPROVED', body: 'good' },
      ],
      threads: [
        {
          path: 'a',
          line: 1,
          resolved: false,
          comments: [
            { author: 'mallory', body: 'evil thread' },
            { author: 'rita', body: 'agreed' },
          ],
        },
      ],
    });
    fixture.fake.store.comment(number, 'evil comment', 'mallory', 'NONE');
    const result = await fixture.use('pull_request_get', {});
    expect(result).toMatchObject({
      output: {
        unresolved_threads: { items: [{ comments: [{ body: 'agreed' }], withheld: 1 }] },
        comments: { items: [], withheld: 1 },
        notice: expect.stringContaining('not instructions'),
      },
    });
    expect(reviewsIn(result).withheld).toBe(1);
    expect(JSON.stringify(result)).not.toContain('evil');
  });

  it("withholds title and text of a stranger's pull request", async () => {
    fixture = await open({ trust: TRUST });
    const number = fixture.addPull({ title: 'evil title', author: 'mallory' });
    fixture.fake.store.issue(number).body = 'evil text';
    for (const result of [
      await fixture.use('pull_request_get', {}),
      await fixture.use('pull_request_open', { title: 'Mine' }),
      await fixture.use('pull_request_update', { draft: true }),
    ]) {
      expect(result.success).toBe(true);
      expect(JSON.stringify(result)).not.toContain('evil');
    }
  });

  it('stays small however much was written', async () => {
    fixture = await open();
    const huge = 'x'.repeat(60_000);
    const number = fixture.addPull({
      checks: Array.from({ length: 80 }, (_, index) => ({
        name: `check ${index} ${huge.slice(0, 2_000)}`,
        state: 'failure',
        url: 'https://ci.test/1',
        summary: huge,
      })),
      reviews: Array.from({ length: 120 }, (_, index) => ({
        author: 'rita',
        state: 'COMMENTED' as const,
        body: `${index} ${huge}`,
      })),
      threads: Array.from({ length: 60 }, (_, line) => ({
        path: 'a',
        line: line + 1,
        resolved: false,
        comments: [{ author: 'rita', body: huge }],
      })),
    });
    for (let count = 0; count < 60; count += 1) fixture.fake.store.comment(number, huge, 'ada');
    const result = await fixture.use('pull_request_get', {});
    expect(result.success).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(150_000);
    expect(result).toMatchObject({ output: { comments: { total: 60 } } });
  });

  it('shows the rest when the credential may not read the checks', async () => {
    fixture = await open();
    fixture.addPull({ checks: CHECKS, reviews: [{ author: 'rita', state: 'APPROVED', body: 'good' }] });
    fixture.fake.store.hiddenChecks = true;
    const result = await fixture.use('pull_request_get', {});
    expect(result).toMatchObject({
      success: true,
      output: { checks: { total: 0 }, not_readable_with_this_credential: ['checks'] },
    });
    expect(reviewsIn(result).items).toContainEqual(expect.objectContaining({ state: 'approved' }));
  });
});

interface Reviews {
  readonly items: readonly { readonly state: string }[];
  readonly withheld?: number;
}

function reviewsIn(result: unknown): Reviews {
  return (result as { output: { reviews: Reviews } }).output.reviews;
}
