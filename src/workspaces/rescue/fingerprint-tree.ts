import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_ENTRIES = 100_000;
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * A hash of what a directory holds: names, modes and contents, no times. Two checkouts of one commit with the same damage
 * have the same. What git keeps of times (logs, file times in the index) and the worker's own files do not count. Null
 * for a directory with more in it than is worth reading.
 */
export async function fingerprintTree(root: string): Promise<string | null> {
  const hash = createHash('sha256');
  let [entries, bytes] = [0, 0];
  const waiting = [''];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (isLeftOut(name)) continue;
    const path = join(root, name);
    const stats = await lstat(path);
    entries += 1;
    if (entries > MAX_ENTRIES) return null;
    hash.update(`${name}\0${stats.mode.toString(8)}\0`);
    if (stats.isDirectory()) {
      const names = (await readdir(path)).sort();
      waiting.push(...names.map((inner) => (name === '' ? inner : `${name}/${inner}`)));
    } else if (stats.isSymbolicLink()) {
      hash.update(`${await readlink(path)}\0`);
    } else if (stats.isFile()) {
      bytes += stats.size;
      if (bytes > MAX_BYTES) return null;
      hash.update(`${stats.size}\0`);
      if (name === '.git/index' && stats.size < MAX_INDEX_BYTES)
        hash.update(withoutTimes(await readFile(path)));
      else await addContent(hash, path);
    }
  }
  return hash.digest('hex');
}

/** A plan is the agent's; everything else there is written by the worker for each run. */
function isLeftOut(name: string): boolean {
  return name === '.git/logs' || (name.startsWith('.aiops/') && name !== '.aiops/PLAN.md');
}

async function addContent(hash: Hash, path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
  } finally {
    await handle.close();
  }
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const MODE_AT = 24;

/** Modes, objects, stages and names of an index; the whole file when it is of no plain kind. */
function withoutTimes(index: Buffer): Buffer {
  const version = index.length > HEADER_BYTES ? index.readUInt32BE(4) : 0;
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version !== 2) return index;
  const parts: Buffer[] = [];
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const end = index.indexOf(0, at + STAT_BYTES + 22);
    if (end < 0) return index;
    parts.push(index.subarray(at + MODE_AT, at + MODE_AT + 4), index.subarray(at + STAT_BYTES, end + 1));
    // Entries are padded with one to eight zeros.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return Buffer.concat(parts);
}
