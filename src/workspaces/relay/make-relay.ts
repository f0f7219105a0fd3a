import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteTree } from '../../process/helper/helper.ts';
import { moveToTrash } from '../files/move-to-trash.ts';
import { pathKind, replaceFile } from '../files/path-safety.ts';
import { writeRepository } from '../git/write-repository.ts';
import { RELAY, relayHook } from './relay-hook.ts';

export interface RelayPlan {
  /** The git directory to make it in. */
  readonly gitDirectory: string;
  readonly branch: string;
  /** What the remote has of the branch; null when it has none. */
  readonly tip: string | null;
  /** A place of ours on the same disk. */
  readonly staging: string;
  readonly trash: string;
}

/** Makes the relay afresh, whatever an agent made of the last one. Call it while no agent lives in the workspace. */
export async function makeRelay(plan: RelayPlan): Promise<void> {
  const [folder] = RELAY;
  const place = join(plan.gitDirectory, folder);
  await removeRelay(plan);
  const built = join(plan.staging, `relay-${process.pid}-${Math.trunc(performance.now() * 1000)}`);
  try {
    await build(join(built, RELAY[1]), plan);
    await rename(built, place);
  } finally {
    await deleteTree(built);
  }
}

export async function removeRelay({
  gitDirectory,
  trash,
}: Pick<RelayPlan, 'gitDirectory' | 'trash'>): Promise<void> {
  const place = join(gitDirectory, RELAY[0]);
  if ((await pathKind(place)) === 'missing') return;
  const gone = await moveToTrash(place, trash, 'door');
  if (gone !== null) await deleteTree(gone);
}

async function build(relay: string, { branch, tip }: RelayPlan): Promise<void> {
  for (const folder of ['hooks', 'requests', 'answers'])
    await mkdir(join(relay, folder), { recursive: true, mode: 0o700 });
  const ref = `refs/heads/${branch}`;
  // The workspace's own objects: a push has nothing to copy, and the worker takes them from there.
  const borrows = ['../../../objects'];
  const refs = tip === null ? {} : { refs: [[ref, tip] as const] };
  await writeRepository(relay, { head: ref, config: CONFIG, borrows, ...refs });
  const hook = join(relay, 'hooks', 'pre-receive');
  await replaceFile(hook, relayHook(branch));
  await chmod(hook, 0o700);
}

export function packedRef(branch: string, tip: string): string {
  return `${tip} refs/heads/${branch}\n`;
}

const CONFIG = {
  core: { repositoryformatversion: '0', bare: 'true', hooksPath: 'hooks', logAllRefUpdates: 'false' },
  gc: { auto: '0' },
  maintenance: { auto: 'false' },
  receive: {
    autogc: 'false',
    denyNonFastForwards: 'false',
    denyDeletes: 'false',
    advertisePushOptions: 'false',
  },
};
