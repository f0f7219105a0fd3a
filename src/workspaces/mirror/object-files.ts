import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';

/** Reads every file that holds objects. The first that is not as it was written; null when all are. */
export async function findUnreadable(mirror: string): Promise<string | null> {
  const objects = join(mirror, 'objects');
  for (const name of await readdir(join(objects, 'pack'))) {
    const path = join(objects, 'pack', name);
    if (isPackFile(name) && !(await sumIsRight(path, (await stat(path)).size)))
      return `${name} does not match its checksum`;
  }
  for (const { path, id } of await looseObjects(objects))
    if (!(await isWholeObject(path, id))) return `the object ${id} is corrupt`;
  return null;
}

export function isPackFile(name: string): boolean {
  return /^pack-[0-9a-f]+\.(pack|idx)$/.test(name);
}

export interface LooseObject {
  readonly path: string;
  readonly id: string;
}

/** The objects that are files of their own. What cannot be listed is left out. */
export async function looseObjects(objects: string): Promise<LooseObject[]> {
  const found: LooseObject[] = [];
  for (const folder of await readdir(objects).catch(() => [])) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const names = await readdir(join(objects, folder)).catch(() => []);
    for (const name of names)
      if (/^([0-9a-f]{38}|[0-9a-f]{62})$/.test(name))
        found.push({ path: join(objects, folder, name), id: folder + name });
  }
  return found;
}

/** A loose object is named after the hash of its content. */
export async function isWholeObject(path: string, id: string): Promise<boolean> {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256');
  try {
    await pipeline(createReadStream(path), createInflate(), hash);
    return hash.digest('hex') === id;
  } catch {
    return false;
  }
}

const SUM_BYTES = 20;

/** Packs and their indexes end in the SHA-1 of all that is before it. */
export async function sumIsRight(path: string, size: number): Promise<boolean> {
  if (size <= SUM_BYTES) return false;
  const hash = createHash('sha1');
  for await (const chunk of createReadStream(path, { end: size - SUM_BYTES - 1 })) hash.update(chunk);
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(SUM_BYTES), 0, SUM_BYTES, size - SUM_BYTES);
    return hash.digest().equals(buffer);
  } finally {
    await handle.close();
  }
}
