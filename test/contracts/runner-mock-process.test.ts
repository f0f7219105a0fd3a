import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture, ISSUE, processesOfRun } from './runner-fixture.ts';

/**
 * A worker in small, as a process of its own: it runs one mock turn with the built runner and prints JSON lines, so that
 * its memory can be limited and itself be killed.
 */
const WORKER = `
  const { createMockRunner } = await import(process.env.RUNNER_URL);
  const input = JSON.parse(process.env.RUN_INPUT);
  const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
  const logger = { debug() {}, info() {}, warn() {}, error() {}, with: () => logger };
  const session = await createMockRunner().start({
    ...input,
    tools: [],
    resumeSessionId: null,
    callTool: async () => ({ success: true, output: null }),
    onEvent: (event) => { if (event.type !== 'activity') print(event); },
    logger,
  }, new AbortController().signal);
  const result = await session.runTurn('Go.', new AbortController().signal);
  await session.stop();
  print({ type: 'done', result, peakMb: process.resourceUsage().maxRSS / 1024 });
`;

const RUNNER_URL = new URL('../../dist/runners/mock/runner.js', import.meta.url).href;

let fixture: Fixture;
let worker: ChildProcess | null;

beforeEach(() => {
  fixture = createFixture();
  worker = null;
});

afterEach(() => {
  worker?.kill('SIGKILL');
  for (const pid of processesOfRun(fixture.runId)) process.kill(pid, 'SIGKILL');
  fixture.dispose();
});

function startWorker(script: string, ...nodeArgs: string[]): ChildProcess {
  const description = `\`\`\`mock\n${script}\n\`\`\``;
  const { runId, workspace: workspacePath, environment } = fixture;
  const input = JSON.stringify({ runId, workspacePath, environment, issue: { ...ISSUE, description } });
  worker = spawn(process.execPath, [...nodeArgs, '--input-type=module', '--eval', WORKER], {
    env: { ...environment, RUNNER_URL, RUN_INPUT: input },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return worker;
}

/** The first printed line of this type; null when the worker ends without one. */
async function printed(process: ChildProcess, type: string): Promise<Record<string, unknown> | null> {
  if (process.stdout === null) return null;
  for await (const line of createInterface({ input: process.stdout })) {
    const message = JSON.parse(line);
    if (message.type === type) return message;
  }
  return null;
}

test('a flood of 100 MB passes through a worker with a heap of 32 MB', async () => {
  const flooded = startWorker('behaviour: flood\nmegabytes: 100\nstep_ms: 0', '--max-old-space-size=32');
  const done = await printed(flooded, 'done');
  expect(done).toMatchObject({ result: { kind: 'completed' } });
  expect(done?.['peakMb']).toBeLessThan(160);
});

test.runIf(process.platform === 'linux')('an agent ends when its worker is killed', async () => {
  const doomed = startWorker('step_ms: 60000');
  expect(await printed(doomed, 'turn_started')).not.toBeNull();
  expect(processesOfRun(fixture.runId)).toHaveLength(1);
  doomed.kill('SIGKILL');
  const deadline = Date.now() + 10_000;
  while (processesOfRun(fixture.runId).length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(processesOfRun(fixture.runId)).toEqual([]);
});
