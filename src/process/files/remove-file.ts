import { unlink } from 'node:fs/promises';
import { ifMissing } from '../../errors/app-error.ts';

/** Removes a file or a link, if it is there. Several times cheaper than `rm`, which is made for trees. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ifMissing(undefined));
}
