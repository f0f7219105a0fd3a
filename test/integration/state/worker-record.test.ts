import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { OwnRecord } from '../../../src/cli/record/own-record.ts';
import {
  findRecord,
  listRecords,
  recordPathOf,
  type WorkerRecord,
} from '../../../src/cli/record/worker-record.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { readIdentity } from '../../../src/process/table/process-identity.ts';

let folder: string;
let environment: Readonly<Record<string, string>>;
let workflow: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  environment = { XDG_STATE_HOME: join(folder, 'state') };
  workflow = join(folder, 'WORKFLOW.md');
  writeFileSync(workflow, '');
  path = recordPathOf(workflow, environment);
});

const make = () => OwnRecord.make(workflow, environment, silentLogger);

test('a worker leaves a record that only its user can read, keeps it true and takes it away', async () => {
  const own = await make();
  expect(existsSync(path)).toBe(false);
  await own.publish(null);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(await findRecord(workflow, environment)).toMatchObject({ url: null, pid: process.pid });
  await own.publish('http://127.0.0.1:4001');
  const record = await findRecord(workflow, environment);
  expect(record).toEqual({
    format: 1,
    ...own.identity,
    start_time: (await readIdentity(process.pid))?.startTime,
    url: 'http://127.0.0.1:4001',
    token: own.token,
  });
  expect(Buffer.from(own.token, 'base64url')).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await own.remove();
  expect(existsSync(dirname(path))).toBe(false);
});

test('each start has a token and an identity of its own', async () => {
  const [one, two] = [await make(), await make()];
  expect(one.token).not.toBe(two.token);
  expect(one.identity.instance).not.toBe(two.identity.instance);
});

test('a later worker keeps its record when an earlier one goes', async () => {
  const [early, late] = [await make(), await make()];
  await early.publish(null);
  await late.publish(null);
  await early.remove();
  expect(await findRecord(workflow, environment)).toMatchObject(late.identity);
});

const changed = async (
  change: Partial<Record<keyof WorkerRecord, unknown>>,
): Promise<WorkerRecord | null> => {
  const own = await make();
  await own.publish(null);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
  return findRecord(workflow, environment);
};

test.each([
  ['the pid of nobody', { pid: 2 ** 22 + 7 }],
  ['the pid of a later process', { start_time: 'another' }],
  ['another format', { format: 2 }],
  ['no token', { token: null }],
])('a record with %s names no worker', async (_what, change) => {
  expect(await changed({})).not.toBeNull();
  expect(await changed(change)).toBeNull();
});

test.each(['', '[]', '{"format":1', 'x'.repeat(100_000)])(
  'a damaged record names no worker: %.10j',
  async (text) => {
    await (await make()).publish(null);
    writeFileSync(path, text);
    expect(await findRecord(workflow, environment)).toBeNull();
    expect(await listRecords(environment)).toEqual([]);
  },
);

test('all workers of a user are found', async () => {
  expect(await listRecords(environment)).toEqual([]);
  await (await make()).publish('http://127.0.0.1:1');
  const other = join(folder, 'other.md');
  await (await OwnRecord.make(other, environment, silentLogger)).publish(null);
  expect((await listRecords(environment)).map(({ workflow_path }) => workflow_path).sort()).toEqual(
    [workflow, other].sort(),
  );
});

test('where a record cannot be kept for its user alone, the worker says so and goes on', async () => {
  const own = await make();
  await own.publish(null);
  await own.publish(null);
  chmodSync(dirname(path), 0o755);
  const warned: unknown[] = [];
  const logger = { ...silentLogger, warn: (_message: string, fields?: object) => void warned.push(fields) };
  const next = await OwnRecord.make(workflow, environment, logger);
  await next.publish('http://127.0.0.1:1');
  expect(warned).toEqual([expect.objectContaining({ hint: expect.stringContaining('chmod 700') })]);
  expect(readFileSync(path, 'utf8')).not.toContain(next.token);
});
