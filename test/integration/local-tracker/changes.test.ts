import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { createChangeSource, type OpenWatcher } from '../../../src/trackers/local/folder/changes.ts';
import { wallMs } from '../../fakes/measured-time.ts';
import { collectWarnings, issueText, temporaryFolder, writeIssue } from './fixture.ts';

interface Watched {
  /** Resolves at the next call back. */
  next(): Promise<void>;
  calls(): number;
  readonly warnings: readonly unknown[];
}

async function watchFolder(path: string, openWatcher?: OpenWatcher): Promise<Watched> {
  const { logger, warnings } = collectWarnings();
  const options = { path, logger, clock: systemClock };
  const source = createChangeSource(openWatcher === undefined ? options : { ...options, openWatcher });
  let calls = 0;
  let wake = (): void => {};
  const stop = await source.watch(() => {
    calls += 1;
    wake();
  });
  onTestFinished(stop);
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    calls: () => calls,
    warnings,
  };
}

it.each([
  ['written in place', (path: string) => writeFile(path, issueText('In Progress'))],
  [
    'replaced by a rename',
    async (path: string) => {
      await writeFile(`${path}.tmp1234`, issueText('In Progress'));
      await rename(`${path}.tmp1234`, path);
    },
  ],
  ['deleted', (path: string) => rm(path)],
])('calls back well under a second after a file is %s', async (_name, change) => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1');
  const watched = await watchFolder(folder);
  const changed = watched.next();
  const { took, stalled } = await wallMs(async () => {
    await change(path);
    await changed;
  });
  expect(took).toBeLessThan(800 + stalled);
});

it('calls back once for many saves in a row, and not for files that are no issues', async () => {
  const folder = await temporaryFolder();
  const watched = await watchFolder(folder);
  await writeFile(join(folder, '.T-1.md.swp'), 'x');
  await writeFile(join(folder, 'T-1.md~'), 'x');
  await writeFile(join(folder, '4913'), 'x');
  const changed = watched.next();
  for (let number = 1; number <= 20; number += 1) await writeIssue(folder, `T-${number}`);
  await changed;
  expect(watched.calls()).toBeLessThanOrEqual(2);
});

it('survives that the folder is deleted and made anew', async () => {
  const folder = join(await temporaryFolder(), 'issues');
  await mkdir(folder);
  const watched = await watchFolder(folder);
  for (let round = 0; round < 2; round += 1) {
    const deleted = watched.next();
    await rm(folder, { recursive: true });
    await deleted;
    const made = watched.next();
    await mkdir(folder);
    await made;
    const saved = watched.next();
    await writeIssue(folder, 'T-1');
    await saved;
  }
  expect(watched.warnings).toEqual([]);
});

it('waits for a folder that does not exist yet', async () => {
  const folder = join(await temporaryFolder(), 'issues');
  const watched = await watchFolder(folder);
  expect(watched.calls()).toBe(0);
  const made = watched.next();
  await mkdir(folder);
  await made;
  const saved = watched.next();
  await writeIssue(folder, 'T-1');
  await saved;
});

it.each<[string, OpenWatcher]>([
  [
    'cannot be had',
    () => {
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
      });
    },
  ],
  [
    'break off',
    (_path, _onName, onError) => {
      queueMicrotask(() => onError(new Error('EMFILE: too many open files')));
      return { close() {} };
    },
  ],
])('compares the files instead when file events %s', async (_name, openWatcher) => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1');
  const watched = await watchFolder(folder, openWatcher);
  const changed = watched.next();
  await writeIssue(folder, 'T-1', issueText('In Progress'));
  await changed;
  const added = watched.next();
  await writeIssue(folder, 'T-2');
  await added;
  expect(watched.warnings).toHaveLength(1);
});
