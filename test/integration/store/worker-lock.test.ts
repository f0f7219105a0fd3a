import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { acquireWorkerLock } from '../../../src/store/locks/worker-lock.ts';
import { bundledProgram } from './bundled-program.ts';
import { journalFixture } from './fixture.ts';

const fixture = journalFixture();
const program = bundledProgram('hold-worker-lock.ts');
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Another worker process, which holds the lock when this resolves. */
async function startWorker(scope: string, workflow: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program.path, fixture.folder, scope, workflow], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('the child has no output');
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe('held\n');
  return child;
}

function acquire(scope: string) {
  return acquireWorkerLock({ root: fixture.folder, scope, workflowPath: '/mine/WORKFLOW.md' });
}

describe('two workers', () => {
  it('on one scope and root: the second is refused and told who is first and what to do', async () => {
    const first = await startWorker('local:a', '/theirs/WORKFLOW.md');
    const error = await acquire('local:a').then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof AppError)) throw new Error('the second worker was not refused');
    expect(error.code).toBe('worker_already_running');
    expect(error.message).toContain(`process ${first.pid}`);
    expect(error.message).toContain('/theirs/WORKFLOW.md');
    expect(error.message).toMatch(/since \d{4}-\d\d-\d\dT/);
    expect(error.message).toContain(fixture.folder);
    expect(error.hint).toContain(`kill ${first.pid}`);
  });

  it('on different scopes share a root', async () => {
    await startWorker('local:a', '/theirs/WORKFLOW.md');
    const lock = await acquire('local:b');
    await lock.release();
  });

  it('one after the other: the lock of a killed worker is taken over, that of an ended one is free', async () => {
    const killed = await startWorker('local:a', '/theirs/WORKFLOW.md');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const lock = await acquire('local:a');
    await expect(acquire('local:a')).rejects.toMatchObject({ code: 'worker_already_running' });
    await lock.release();

    const polite = await startWorker('local:a', '/theirs/WORKFLOW.md');
    polite.stdin?.end();
    await once(polite, 'exit');
    await (await acquire('local:a')).release();
  });

  it('a root that cannot be written is not mistaken for another worker', async () => {
    const root = join(fixture.folder, 'file');
    await writeFile(root, '');
    await expect(
      acquireWorkerLock({ root, scope: 'local:a', workflowPath: 'WORKFLOW.md' }),
    ).rejects.toMatchObject({ code: 'lock_unavailable' });
  });
});
