import { expect, it } from 'vitest';
import { runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

interface Told {
  readonly status: string;
  readonly now: string;
  readonly next: string;
  readonly claim: { readonly phase: string };
  readonly rules: readonly { readonly name: string; readonly ok: boolean; readonly text: string }[];
  readonly runs: readonly { readonly outcome: string }[];
  readonly branch: string | null;
  readonly suggestions: readonly { readonly what: string; readonly command: string | null }[];
}

async function explain(fixture: Fixture, id: string): Promise<Told> {
  const options = { cwd: fixture.directory, env: fixture.env };
  const { code, stdout, stderr } = await runCli(['explain', id, '--json'], options);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Told;
}

const broken = ({ rules }: Told): readonly string[] => rules.filter(({ ok }) => !ok).map(({ name }) => name);
const commands = ({ suggestions }: Told) => suggestions.map(({ command }) => command);

it('explains issues with a worker and without one, and names the command that helps', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 1 } });
  await fixture.writeIssue('E-1', { mock: { behaviour: 'ask' }, priority: 1 });
  await fixture.writeIssue('E-2', { mock: { behaviour: 'hang', when: 'after_commit' }, priority: 2 });
  await fixture.writeIssue('E-3', { blockedBy: ['E-1'] });
  await fixture.writeIssue('E-4', { state: 'Backlog' });

  const before = await explain(fixture, 'e-1');
  expect(before).toMatchObject({ status: 'would_start', claim: { phase: 'none' }, runs: [] });
  expect(before.next).toContain('a worker that starts now would run it at once, as number 1');
  expect([broken(before), commands(before)]).toEqual([['worker'], ['aiops worker']]);

  const worker = await startWorker(fixture);
  await worker.untilRunning('E-2');
  const asks = await explain(fixture, 'E-1');
  expect(asks).toMatchObject({
    status: 'needs_you',
    claim: { phase: 'blocked' },
    runs: [{ outcome: 'blocked' }],
  });
  expect(broken(asks)).toEqual(['hold', 'slot']);
  expect(commands(asks)[0]).toBe("aiops answer E-1 'YOUR ANSWER'");
  const runs = await explain(fixture, 'E-2');
  expect(runs).toMatchObject({ status: 'running', claim: { phase: 'running' } });
  expect(commands(runs)).toContain('aiops stop E-2');
  const waits = await explain(fixture, 'E-3');
  expect([waits.status, broken(waits), commands(waits)]).toEqual([
    'waiting',
    ['tracker', 'slot'],
    ['aiops explain E-1'],
  ]);
  const rests = await explain(fixture, 'E-4');
  expect([rests.status, broken(rests)]).toEqual(['not_active', ['state', 'slot']]);
  expect(commands(rests)).toEqual(['aiops issue move E-4 Todo']);

  const answered = await runCli(['answer', 'E-1', 'YOUR ANSWER'], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  expect(answered.code).toBe(0);
  await worker.end('SIGTERM');
  const after = await explain(fixture, 'E-2');
  expect(after.claim.phase).not.toBe('running');
  expect(after.branch).toBe('ai/E-2');
  expect(broken(after)).toContain('worker');
  expect(commands(after)).toContain('aiops worker');
});

it('says so when nobody knows the issue, in one line', async () => {
  const fixture = await openFixture();
  const told = await runCli(['explain', 'NOPE\u001b[2J'], { cwd: fixture.directory, env: fixture.env });
  expect([told.code, told.stdout]).toEqual([1, '']);
  expect(told.stderr).toMatch(
    /^aiops: neither worker, journal nor tracker know an issue ".*`aiops issues`.*\n$/,
  );
  expect(told.stderr).not.toContain('\u001b');
});

it('tells who waits for whom once work was handed over, and when it is over, with a worker or without', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('E-1');
  const worker = await startWorker(fixture);
  await worker.until('it is delivered', ({ counts }) => counts.delivered_total === 1);
  await waitFor('it is in review', async () => (await fixture.issueState('E-1')) === 'Human Review');
  const check = async (): Promise<void> => {
    const review = await explain(fixture, 'E-1');
    expect(review).toMatchObject({ status: 'in_review', pushed: true, branch: 'ai/E-1' });
    expect(commands(review)).toEqual(
      expect.arrayContaining(['aiops issue move E-1 Done', 'aiops issue move E-1 Todo']),
    );
  };
  await check();
  await worker.end('SIGTERM');
  await check();
  await fixture.moveIssue('E-1', 'Done');
  expect(await explain(fixture, 'E-1')).toMatchObject({ status: 'over', claim: { phase: 'none' } });
});

it('says what is wrong with the workflow rather than that nobody knows the issue', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: -1 } });
  await fixture.writeIssue('E-1');
  const told = await runCli(['explain', 'E-1'], { cwd: fixture.directory, env: fixture.env });
  expect([told.code, told.stdout]).toEqual([1, '']);
  expect(told.stderr).toContain('max_concurrent_agents');
  expect(told.stderr).not.toContain('neither');
});
