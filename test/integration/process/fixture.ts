import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Child, ChildOptions } from '../../../src/process/children/child.ts';
import { type SpawnLimits, spawnChild } from '../../../src/process/children/spawn.ts';

const TEST_MARK = 'AIOPS_TEST_MARK';

export function fakeProgram(name: string): string {
  return fileURLToPath(new URL(`../../fakes/programs/${name}.mjs`, import.meta.url));
}

/** A folder and an environment per test; after it, no process that carries the environment's mark may be alive. */
export function processSandbox(): { cwd: string; env: Record<string, string> } {
  const sandbox = { cwd: '', env: {} as Record<string, string> };
  beforeEach(async () => {
    sandbox.cwd = await mkdtemp(join(tmpdir(), 'aiops-process-'));
    sandbox.env = { PATH: process.env['PATH'] ?? '', [TEST_MARK]: randomUUID() };
  });
  afterEach(async () => {
    const left = markedProcesses(sandbox.env[TEST_MARK] ?? '');
    for (const pid of left) process.kill(pid, 'SIGKILL');
    await rm(sandbox.cwd, { recursive: true, force: true });
    expect(left, 'processes outlived the test').toEqual([]);
  });
  return sandbox;
}

/** Looked up apart from the code under test. Zombies do not count. */
function markedProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        return environment.includes(`${TEST_MARK}=${mark}`) && isRunning(pid);
      } catch {
        return false;
      }
    });
}

export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export async function waitUntil(what: string, condition: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await delay(5);
  }
}

export interface TestChild extends Child {
  readonly lines: string[];
  readonly errorLines: string[];
  readonly oversize: number[];
  /** Resolves with the first stdout line that starts so. */
  line(start: string): Promise<string>;
}

export async function startFake(
  sandbox: { cwd: string; env: Record<string, string> },
  [program, ...args]: [string, ...string[]],
  options: Partial<ChildOptions> = {},
  limits: Partial<SpawnLimits> = {},
): Promise<TestChild> {
  const lines: string[] = [];
  const errorLines: string[] = [];
  const oversize: number[] = [];
  const child = await spawnChild(
    {
      command: process.execPath,
      args: [fakeProgram(program), ...args],
      cwd: sandbox.cwd,
      env: sandbox.env,
      runId: randomUUID(),
      onLine: (line) => lines.push(line),
      onErrorLine: (line) => errorLines.push(line),
      onOversizeLine: (bytes) => oversize.push(bytes),
      ...options,
    },
    limits,
  );
  const find = (start: string): string | undefined => lines.find((line) => line.startsWith(start));
  const line = async (start: string): Promise<string> => {
    await waitUntil(`the child prints ${start}`, () => find(start) !== undefined);
    return find(start) ?? '';
  };
  return { ...child, lines, errorLines, oversize, line };
}

/** The number a line ends with, e.g. `daemon 4711`. */
export function pidOf(line: string): number {
  return Number(line.split(' ').at(-1));
}

/** Runs `work` and tells by how many bytes the resident memory of this process rose at its highest. */
export async function peakMemoryGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  return Math.max(peak, process.memoryUsage.rss()) - before;
}
