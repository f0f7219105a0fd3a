import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCopy } from '../../../src/store/sqlite/journal-copy.ts';
import { loadSqlite, type OpenDatabase } from '../../../src/store/sqlite/open-database.ts';
import { bundledProgram } from './bundled-program.ts';
import { journalFixture } from './fixture.ts';

const fixture = journalFixture();
const program = bundledProgram('busy-journal.ts');
let open: OpenDatabase;

beforeAll(async () => {
  open = await loadSqlite();
});

/** As the writer does it beside its journal. */
const APPEND_EVERY_MS = 250;

interface Life {
  readonly killedAt: number;
  readonly said: readonly (readonly string[])[];
}

/** Starts a writer, lets it live for a while (from its first word on, or from its birth) and kills it. */
async function live(path: string, name: string, livesMs: number, from: 'birth' | 'word'): Promise<Life> {
  const child: ChildProcess = spawn(process.execPath, [program.path, path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[][] = [];
  if (child.stdout === null) throw new Error('the child has no output');
  const lines = createInterface({ input: child.stdout });
  const ended = once(lines, 'close');
  lines.on('line', (line) => said.push(line.split(' ')));
  if (from === 'word') await Promise.race([once(lines, 'line'), ended]);
  await delay(livesMs);
  const killedAt = Date.now();
  child.kill('SIGKILL');
  await ended;
  return { killedAt, said };
}

/** What was said before this is in the timeline: a second back, and as much more as the machine let the writer wait. */
function dueBefore({ killedAt, said }: Life): number {
  const timesOf = (word: string): number[] =>
    said.flatMap(([what, ...rest]) => (what === word ? [Number(rest.at(-1))] : []));
  const longestPause = longestGap([...timesOf('step'), killedAt]);
  const slowestAppend = longestGap([...timesOf('append'), killedAt]) - APPEND_EVERY_MS;
  return killedAt - 1000 - 4 * Math.max(longestPause, slowestAppend);
}

function longestGap(times: readonly number[]): number {
  return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

/** Everything whose write had returned when the process was killed must be there. */
async function checkLife(path: string, name: string, life: Life): Promise<void> {
  const database = openCopy(path, open);
  const select = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row as object).join(' '));
  const records = new Map(
    select('SELECT issue_id, payload FROM records').map((row) => {
      const payload = row.slice(row.indexOf('{'));
      return [row.split(' ')[0], (JSON.parse(payload) as { runs: number }).runs];
    }),
  );
  const runs = new Set(select('SELECT run_id FROM runs'));
  const actions = select('SELECT payload FROM actions').join('\n');
  const events = new Set(select('SELECT run_id FROM events'));
  database.close();

  const due = dueBefore(life);
  for (const [what, first = '', second = ''] of life.said) {
    if (what === 'record')
      expect(records.get(first), `${name}: record ${first}`).toBeGreaterThanOrEqual(Number(second));
    if (what === 'run') expect(runs.has(first), `${name}: run ${first}`).toBe(true);
    if (what === 'action') expect(actions, `${name}: action ${first}`).toContain(`"${first}"`);
    if (what === 'event' && Number(second) < due) {
      expect(events.has(`${name}-${first}`), `${name}: event ${first}`).toBe(true);
    }
    expect(what).not.toBe('problem');
  }
}

async function checkTimeline(path: string, name: string, life: Life): Promise<void> {
  const journal = await fixture.open({ path });
  const page = await journal.runEvents(name, { limit: 1_000_000 });
  await journal.close();
  expect(page.unreadable).toBeLessThanOrEqual(1);
  expect(page.entries.map((entry) => entry.seq)).toEqual(page.entries.map((_, index) => index + 1));
  const before = dueBefore(life);
  const due = life.said.filter(([what, , at]) => what === 'step' && Number(at) < before);
  expect(page.entries.length).toBeGreaterThanOrEqual(Math.max(1, due.length));
}

async function manyLives(lane: number, lives: number): Promise<void> {
  const path = join(fixture.folder, `lane-${lane}`, 'journal.sqlite');
  for (let index = 0; index < lives; index += 1) {
    const name = `lane${lane}life${index}`;
    const life = await live(path, name, Math.random() * 60, index % 3 === 0 ? 'birth' : 'word');
    if (life.said.length > 0) await checkLife(path, name, life);
  }
  const name = `lane${lane}long`;
  const long = await live(path, name, 2000, 'word');
  await checkLife(path, name, long);
  await checkTimeline(path, name, long);

  const journal = await fixture.open({ path });
  expect(journal.status).toMatchObject({ ok: true, problem: null });
  expect(journal.loadRecords()).toHaveLength(7);
}

describe('a worker that is killed at any instant', () => {
  it('has lost no record, outcome or action that was acknowledged, and at most a second of timeline', async () => {
    await Promise.all([manyLives(1, 10), manyLives(2, 10), manyLives(3, 10)]);
    expect(fixture.log).toEqual([]);
  });
});
