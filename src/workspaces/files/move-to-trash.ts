import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../../errors/app-error.ts';

/** Takes a directory out of sight in one step, into `trash`. Returns where it is now, null when it was not there. */
export async function moveToTrash(path: string, trash: string, name: string): Promise<string | null> {
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const target = join(trash, `${name}.${randomBytes(4).toString('hex')}`);
  return rename(path, target).then(() => target, ifMissing(null));
}
