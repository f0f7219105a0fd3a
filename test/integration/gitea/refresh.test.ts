import { afterEach, describe, expect, it } from 'vitest';
import { never } from '../../contracts/tracker-fixture.ts';
import { createGiteaFixture, type GiteaFixture, labelFor } from '../../fakes/gitea/fixture.ts';

const CLAIMS = 10;
const fixtures: GiteaFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

/** Ten claims that have been read before; `others` were added after them. */
async function openClaims(others = 100): Promise<GiteaFixture> {
  const seed = Array.from({ length: CLAIMS }, (_, index) => ({ key: `C${index}`, state: 'In Progress' }));
  const fixture = await createGiteaFixture(seed);
  fixtures.push(fixture);
  for (let count = 0; count < others; count += 1) fixture.fake.store.add({ labels: [labelFor('Todo')] });
  for (let poll = 0; poll < 3; poll += 1) {
    await fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never, { brief: true });
    await refresh(fixture);
  }
  fixture.fake.requests.length = 0;
  return fixture;
}

async function refresh(fixture: GiteaFixture): Promise<readonly string[]> {
  const ids = Array.from({ length: CLAIMS }, (_, index) => fixture.idOf(`C${index}`));
  const outcomes = await fixture.tracker.fetchIssuesByIds(ids, never);
  return ids.map((id) => {
    const outcome = outcomes.get(id);
    return outcome?.kind === 'current' ? outcome.issue.state : (outcome?.kind ?? 'missing');
  });
}

describe('the refresh of many claims', () => {
  it('takes three requests while nothing changes, and sees at once what does', async () => {
    const fixture = await openClaims();
    expect(new Set(await refresh(fixture))).toEqual(new Set(['In Progress']));
    expect(fixture.fake.requests).toHaveLength(3);
    await fixture.move('C3', 'Human Review');
    fixture.fake.store.change(fixture.numberOf('C7'), (issue) => {
      issue.closed = true;
    });
    const states = await refresh(fixture);
    expect(states.filter((state) => state !== 'In Progress')).toHaveLength(2);
    expect(states[3]).toBe('Human Review');
    expect(states[7]).toBe('closed');
    expect(await refresh(fixture)).toEqual(states);
  });

  it('finds a deleted issue within a few polls, for a list of changes does not name it', async () => {
    const fixture = await openClaims();
    await fixture.remove('C4');
    const seen: string[] = [];
    for (let poll = 0; poll < CLAIMS / 2; poll += 1) seen.push((await refresh(fixture))[4] ?? '');
    expect(seen).toContain('absent');
    expect((await refresh(fixture))[4]).toBe('absent');
  });

  it('reads every claim when more has changed than a page holds', async () => {
    const fixture = await openClaims();
    for (let count = 0; count < 60; count += 1) fixture.fake.store.add({ labels: [labelFor('Todo')] });
    await fixture.move('C0', 'Done');
    fixture.fake.store.add({});
    expect((await refresh(fixture))[0]).toBe('Done');
    expect(fixture.fake.requests).toHaveLength(1 + CLAIMS);
  });

  it('finds within a few polls what a wrong clock hides', async () => {
    const fixture = await openClaims();
    fixture.fake.store.add({ labels: [labelFor('Todo')] }).updatedAt = '2199-01-01T00:00:00Z';
    await fixture.tracker.fetchIssuesByStates(['Todo'], never, { brief: true });
    await refresh(fixture);
    await fixture.move('C1', 'Done');
    const seen: string[] = [];
    for (let poll = 0; poll < CLAIMS / 2; poll += 1) seen.push((await refresh(fixture))[1] ?? '');
    expect(seen.at(-1)).toBe('Done');
  });

  it('fails as a whole when the changes cannot be read, and cancels nothing', async () => {
    const fixture = await openClaims();
    fixture.fake.failNext(/since=/, { kind: 'answer', status: 500, body: 'oops' }, 2);
    await expect(refresh(fixture)).rejects.toMatchObject({ code: 'tracker_status' });
    expect(new Set(await refresh(fixture))).toEqual(new Set(['In Progress']));
  });

  it('leaves what it could not read by itself unknown', async () => {
    const fixture = await openClaims();
    fixture.fake.failNext(/\/issues\/\d+/, { kind: 'answer', status: 500, body: 'oops' }, 4);
    const states = await refresh(fixture);
    expect(states.filter((state) => state === 'unknown')).toHaveLength(2);
    expect(states.filter((state) => state === 'In Progress')).toHaveLength(CLAIMS - 2);
  });
});

describe('a brief listing', () => {
  it('looks into no issue, and does not take what it has not read for free', async () => {
    const fixture = await openClaims(30);
    const issues = await fixture.tracker.fetchIssuesByStates(['Todo'], never, { brief: true });
    expect(fixture.fake.requests).toHaveLength(1);
    expect(issues).toHaveLength(30);
    expect(issues.filter(({ dispatchable }) => dispatchable)).toEqual([]);
    const read = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
    expect(read.filter(({ dispatchable }) => dispatchable)).toHaveLength(20);
  });
});
