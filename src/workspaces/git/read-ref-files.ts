import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind, readRegularFile } from '../ownership/path-safety.ts';

const ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 50;

/**
 * What the refs below some prefixes (`refs/heads`) name, read without git from a repository that git may refuse. Links
 * are not followed; what cannot be read is left out. Null when there is more than anybody has.
 */
export async function readRefFiles(
  gitDirectory: string,
  prefixes: readonly string[],
): Promise<Map<string, string> | null> {
  const refs = await packedRefs(gitDirectory, prefixes);
  const waiting = prefixes.map((name) => ({ name, depth: 0 }));
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    seen += 1;
    if (seen > MAX_ENTRIES || next.depth > MAX_DEPTH) return null;
    const path = join(gitDirectory, next.name);
    if ((await pathKind(path).catch(() => 'missing')) === 'directory') {
      for (const inner of await readdir(path).catch(() => []))
        waiting.push({ name: `${next.name}/${inner}`, depth: next.depth + 1 });
      continue;
    }
    const id = (await readRegularFile(path, 1024).catch(() => null))?.trim() ?? '';
    if (ID.test(id)) refs.set(next.name, id);
  }
  return refs;
}

async function packedRefs(gitDirectory: string, prefixes: readonly string[]): Promise<Map<string, string>> {
  const path = join(gitDirectory, 'packed-refs');
  const text = (await readRegularFile(path, MAX_PACKED_BYTES).catch(() => null)) ?? '';
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id = '', name = ''] = line.split(' ');
    const isMeant = prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}/`));
    if (ID.test(id) && isMeant) refs.set(name, id);
  }
  return refs;
}
