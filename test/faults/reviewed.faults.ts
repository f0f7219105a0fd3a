import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hasErrno } from '../../src/errors/app-error.ts';
import { openJournalReader } from '../../src/store/sqlite/journal-reader.ts';
import type { Fixture } from '../e2e/cli/fixture.ts';
import { git } from '../e2e/cli/git.ts';
import { waitFor } from '../e2e/cli/wait.ts';
import { launchWorker, openFixture, startWorker } from '../e2e/cli/worker-fixture.ts';
import { Random } from '../simulation/random.ts';

const KILLS = Number(process.env['FAULT_KILLS'] ?? 200);
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
/** Issues under way at any time; a finished one is followed by the next. */
const AT_A_TIME = 3;
const REVIEWED_WITHIN_MS = 100;
/** Counted from the moment a worker is ready. */
const MIN_LIFE_MS = 50;
const MAX_LIFE_MS = 1_000;
/** More than any issue has. */
const ALL_RUNS = 10_000;

/** Empty for the moment in which the file is replaced and has no name. */
function stateOf(path: string): string {
  try {
    return /^state: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return '';
    throw error;
  }
}

/** Approves whatever is handed over within 100 ms, for as long as the test lasts, and writes the next issues. */
function startReviewer(fixture: Fixture, random: Random) {
  let written = 0;
  let going = true;
  let writes = true;
  const issues = join(fixture.directory, 'issues');
  const work = async (): Promise<void> => {
    while (going) {
      let open = 0;
      for (const name of readdirSync(issues).filter((entry) => /^REV-\d+\.md$/.test(entry))) {
        const state = stateOf(join(issues, name));
        if (state === 'Human Review') await fixture.moveIssue(name.slice(0, -3), 'Done');
        else if (state !== 'Done') open += 1;
      }
      for (; writes && open < AT_A_TIME; open += 1) {
        written += 1;
        const mock = { behaviour: 'turns', turns: random.between(1, 2), step_ms: random.between(10, 60) };
        await fixture.writeIssue(`REV-${written}`, { mock });
      }
      await delay(random.between(5, REVIEWED_WITHIN_MS - 20));
    }
  };
  const done = work();
  return {
    written: () => written,
    writeNoMore: () => {
      writes = false;
    },
    async stop() {
      going = false;
      await done;
    },
  };
}

test(`${KILLS} kills with a reviewer who answers within 100 ms: every outcome is what happened (FAULT_SEED=${SEED})`, async () => {
  const random = new Random(SEED);
  const fixture = await openFixture({
    agent: { default: 'mock', max_concurrent_agents: AT_A_TIME, max_retry_backoff_ms: 300, max_turns: 1_000 },
    hooks: { after_run: 'sleep 0.05' },
  });
  const reviewer = startReviewer(fixture, random);
  try {
    // Long enough that some issues are delivered in between, also on a slow machine.
    const firstMs = await liveUntil(fixture, async () => waitForDone(fixture, 'REV-1'));
    const maxLifeMs = Math.max(MAX_LIFE_MS, Math.round(1.5 * firstMs));
    for (let kill = 1; kill < KILLS; kill += 1)
      await liveUntil(fixture, () => delay(random.between(MIN_LIFE_MS, maxLifeMs)));
    reviewer.writeNoMore();
    const last = await startWorker(fixture);
    await last.until(
      'all is done',
      ({ running, retrying }) =>
        running.length + retrying.length === 0 &&
        Array.from({ length: reviewer.written() }, (_, n) => fixture.issuePath(`REV-${n + 1}`)).every(
          (path) => stateOf(path) === 'Done',
        ),
      { withinMs: 60_000 },
    );
    expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    await reviewer.stop();
  }
  await expectTrueRecord(fixture, reviewer.written());
});

/** A worker that is killed after that; gives how long it was ready. */
async function liveUntil(fixture: Fixture, then: () => Promise<unknown>): Promise<number> {
  const { process: worker } = launchWorker(fixture);
  await waitFor('the worker is ready', () => worker.stderr().includes('worker ready'), {
    withinMs: 30_000,
    describe: worker.stderr,
  });
  const ready = performance.now();
  await then();
  worker.kill('SIGKILL');
  await worker.exited;
  return performance.now() - ready;
}

function waitForDone(fixture: Fixture, id: string): Promise<unknown> {
  const isDone = (): boolean => stateOf(fixture.issuePath(id)) === 'Done';
  return waitFor(`${id} is done`, isDone, { withinMs: 60_000 });
}

/** Every issue was handed over by an agent with its commits pushed, so each has one delivery on record, and it is the last word. */
async function expectTrueRecord(fixture: Fixture, issues: number): Promise<void> {
  const journal = join(fixture.workspaces, '.aiops', 'journal.sqlite');
  expect(existsSync(journal)).toBe(true);
  const reader = await openJournalReader(journal);
  const wrong: string[] = [];
  let runs = 0;
  for (let n = 1; n <= issues; n += 1) {
    const id = `REV-${n}`;
    const ends = reader.runsOfIssue(id, ALL_RUNS).map(({ outcome }) => outcome);
    runs += ends.length;
    const kinds = ends.map(({ kind }) => kind);
    const isPushed = git(fixture.remote, 'branch', '--list', `ai/${id}`).trim() !== '';
    const record = reader.loadRecords().find(({ identifier }) => identifier === id);
    if (!isPushed) wrong.push(`${id} has no branch on the remote`);
    if (kinds.filter((kind) => kind === 'delivered').length !== 1 || kinds[0] !== 'delivered')
      wrong.push(`${id}: ${ends.map(({ kind, summary }) => `${kind} (${summary})`).join(' <- ')}`);
    if (record?.lastOutcome?.kind !== 'delivered')
      wrong.push(`${id} is remembered as ${record?.lastOutcome?.kind}`);
    if (record?.lifetime.runs !== ends.length)
      wrong.push(`${id} has ${ends.length} ends of ${record?.lifetime.runs} runs`);
  }
  await reader.close();
  expect(wrong).toEqual([]);
  console.log(`${KILLS} kills: ${issues} issues delivered, ${runs} runs, every outcome true`);
}
