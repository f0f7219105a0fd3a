import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withState } from '../../trackers/local/file/document.ts';
import type { Git } from './demo-git.ts';
import { DEMO_BRANCH } from './scenario.ts';
import type { Scratch } from './scratch.ts';

/** Plays the person who reviews: merges the branch in the remote and closes the issue. */
export async function approve(scratch: Scratch, git: Git, id: string, now: number): Promise<void> {
  const clone = join(scratch.directory, `review-${id}`);
  await git(scratch.directory, 'clone', '-q', scratch.remote, clone);
  await git(clone, 'merge', '-q', '--no-ff', '-m', `Merge ${id}`, `origin/ai/${id}`);
  await git(clone, 'push', '-q', 'origin', DEMO_BRANCH);
  await rm(clone, { recursive: true, force: true });
  await scratch.issues.update(id, (text) => withState(text, 'Done', new Date(now).toISOString()));
}
