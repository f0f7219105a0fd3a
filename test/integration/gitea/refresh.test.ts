import { afterEach, describe, expect, it } from 'vitest';
import { never } from '../../contracts/tracker-stage.ts';
import { createGiteaStage, type GiteaStage, labelFor } from '../../fakes/gitea/stage.ts';

const CLAIMS = 10;
const stages: GiteaStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

/** Ten claims that have been read before; `others` were added after them. */
async function openClaims(others = 100): Promise<GiteaStage> {
  const seed = Array.from({ length: CLAIMS }, (_, index) => ({ key: `C${index}`, state: 'In Progress' }));
  const stage = await createGiteaStage(seed);
  stages.push(stage);
  for (let count = 0; count < others; count += 1) stage.fake.store.add({ labels: [labelFor('Todo')] });
  for (let poll = 0; poll < 3; poll += 1) {
    await stage.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never, { brief: true });
    await refresh(stage);
  }
  stage.fake.requests.length = 0;
  return stage;
}

async function refresh(stage: GiteaStage): Promise<readonly string[]> {
  const ids = Array.from({ length: CLAIMS }, (_, index) => stage.idOf(`C${index}`));
  const outcomes = await stage.tracker.fetchIssuesByIds(ids, never);
  return ids.map((id) => {
    const outcome = outcomes.get(id);
    return outcome?.kind === 'current' ? outcome.issue.state : (outcome?.kind ?? 'missing');
  });
}

describe('the refresh of many claims', () => {
  it('takes three requests while nothing changes, and sees at once what does', async () => {
    const stage = await openClaims();
    expect(new Set(await refresh(stage))).toEqual(new Set(['In Progress']));
    expect(stage.fake.requests).toHaveLength(3);
    await stage.move('C3', 'Human Review');
    stage.fake.store.change(stage.numberOf('C7'), (issue) => {
      issue.closed = true;
    });
    const states = await refresh(stage);
    expect(states.filter((state) => state !== 'In Progress')).toHaveLength(2);
    expect(states[3]).toBe('Human Review');
    expect(states[7]).toBe('closed');
    expect(await refresh(stage)).toEqual(states);
  });

  it('finds a deleted issue within a few polls, for a list of changes does not name it', async () => {
    const stage = await openClaims();
    await stage.remove('C4');
    const seen: string[] = [];
    for (let poll = 0; poll < CLAIMS / 2; poll += 1) seen.push((await refresh(stage))[4] ?? '');
    expect(seen).toContain('absent');
    expect((await refresh(stage))[4]).toBe('absent');
  });

  it('reads every claim when more has changed than a page holds', async () => {
    const stage = await openClaims();
    for (let count = 0; count < 60; count += 1) stage.fake.store.add({ labels: [labelFor('Todo')] });
    await stage.move('C0', 'Done');
    stage.fake.store.add({});
    expect((await refresh(stage))[0]).toBe('Done');
    expect(stage.fake.requests).toHaveLength(1 + CLAIMS);
  });

  it('finds within a few polls what a wrong clock hides', async () => {
    const stage = await openClaims();
    stage.fake.store.add({ labels: [labelFor('Todo')] }).updatedAt = '2199-01-01T00:00:00Z';
    await stage.tracker.fetchIssuesByStates(['Todo'], never, { brief: true });
    await refresh(stage);
    await stage.move('C1', 'Done');
    const seen: string[] = [];
    for (let poll = 0; poll < CLAIMS / 2; poll += 1) seen.push((await refresh(stage))[1] ?? '');
    expect(seen.at(-1)).toBe('Done');
  });

  it('fails as a whole when the changes cannot be read, and cancels nothing', async () => {
    const stage = await openClaims();
    stage.fake.failNext(/since=/, { kind: 'answer', status: 500, body: 'oops' }, 2);
    await expect(refresh(stage)).rejects.toMatchObject({ code: 'tracker_status' });
    expect(new Set(await refresh(stage))).toEqual(new Set(['In Progress']));
  });

  it('leaves what it could not read by itself unknown', async () => {
    const stage = await openClaims();
    stage.fake.failNext(/\/issues\/\d+/, { kind: 'answer', status: 500, body: 'oops' }, 4);
    const states = await refresh(stage);
    expect(states.filter((state) => state === 'unknown')).toHaveLength(2);
    expect(states.filter((state) => state === 'In Progress')).toHaveLength(CLAIMS - 2);
  });
});

describe('a brief listing', () => {
  it('looks into no issue, and does not take what it has not read for free', async () => {
    const stage = await openClaims(30);
    const issues = await stage.tracker.fetchIssuesByStates(['Todo'], never, { brief: true });
    expect(stage.fake.requests).toHaveLength(1);
    expect(issues).toHaveLength(30);
    expect(issues.filter(({ dispatchable }) => dispatchable)).toEqual([]);
    const read = await stage.tracker.fetchIssuesByStates(['Todo'], never);
    expect(read.filter(({ dispatchable }) => dispatchable)).toHaveLength(20);
  });
});
