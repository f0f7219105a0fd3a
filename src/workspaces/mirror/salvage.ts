import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind } from '../files/path-safety.ts';
import { readRefFiles } from '../git/read-ref-files.ts';
import { isWholeObject, looseObjects } from './object-files.ts';
import type { MirrorJob } from './repository.ts';

/**
 * Brings what can still be read of a damaged mirror into its successor: workspaces borrow objects that the remote may no
 * longer have, and rescues are kept there a second time. What the successor has already is not stored again.
 */
export async function salvage(job: MirrorJob, from: string, to: string): Promise<void> {
  if ((await pathKind(join(from, 'objects'))) !== 'directory') return;
  for (const pack of await namesIn(join(from, 'objects', 'pack'))) {
    if (!pack.endsWith('.pack')) continue;
    // Goes on behind what it cannot read, and needs no index of the pack. Its exit code says nothing of what it got.
    await job.git.attempt(['unpack-objects', '-r', '-q'], {
      cwd: to,
      action: 'saving objects of a damaged mirror',
      signal: job.signal,
      input: createReadStream(join(from, 'objects', 'pack', pack)),
      limited: true,
    });
  }
  await salvageLoose(join(from, 'objects'), join(to, 'objects'));
  await salvageRescueRefs(job, from, to);
}

async function salvageLoose(from: string, to: string): Promise<void> {
  for (const { path, id } of await looseObjects(from)) {
    const folder = join(to, id.slice(0, 2));
    const target = join(folder, id.slice(2));
    if ((await pathKind(target)) !== 'missing' || !(await isWholeObject(path, id))) continue;
    await mkdir(folder, { recursive: true });
    await copyFile(path, target);
  }
}

/** Rescues are kept a second time in the mirror; the remote knows nothing of them. */
async function salvageRescueRefs(job: MirrorJob, from: string, to: string): Promise<void> {
  const refs = (await readRefFiles(from, ['refs/aiops'])) ?? new Map<string, string>();
  if (refs.size === 0) return;
  const call = { cwd: to, action: 'saving the refs of a damaged mirror', signal: job.signal };
  const ids = [...new Set(refs.values())];
  const listing = await job.git.run(['cat-file', '--batch-check=%(objectname)'], {
    ...call,
    input: ids.map((id) => `${id}\n`).join(''),
  });
  const present = new Set(listing.split('\n'));
  const lines = [...refs].flatMap(([name, id]) => (present.has(id) ? [`update ${name} ${id}\n`] : []));
  if (lines.length > 0) await job.git.attempt(['update-ref', '--stdin'], { ...call, input: lines.join('') });
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
