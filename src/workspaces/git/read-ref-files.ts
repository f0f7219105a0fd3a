import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind, readRegularFile } from '../files/path-safety.ts';

const ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
/** What an agent may have written; more is left to git, whose memory and time are limited. */
const MAX_STRICT_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 50;

/**
 * What the refs below some prefixes (`refs/heads`) name, read without git from a repository that git may refuse. Links
 * are not followed; what cannot be read is left out, or with `strict` makes the answer null. Null when there is more than
 * anybody has.
 */
export async function readRefFiles(
  gitDirectory: string,
  prefixes: readonly string[],
  strict = false,
): Promise<Map<string, string> | null> {
  const packed = await packedRefs(gitDirectory, prefixes, strict ? MAX_STRICT_BYTES : MAX_PACKED_BYTES);
  if (strict && !packed.whole) return null;
  const { refs } = packed;
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
    else if (strict) return null;
  }
  return refs;
}

/** What one ref names, of a repository of ours; null when it has none. */
export async function readRefFile(gitDirectory: string, name: string): Promise<string | null> {
  const id = (await readRegularFile(join(gitDirectory, name), 1024))?.trim() ?? '';
  if (ID.test(id)) return id;
  return (await packedRefs(gitDirectory, [name], MAX_PACKED_BYTES)).refs.get(name) ?? null;
}

interface PackedRefs {
  readonly refs: Map<string, string>;
  /** False when some of it could not be read. */
  readonly whole: boolean;
}

async function packedRefs(
  gitDirectory: string,
  prefixes: readonly string[],
  maxBytes: number,
): Promise<PackedRefs> {
  const refs = new Map<string, string>();
  const path = join(gitDirectory, 'packed-refs');
  if ((await pathKind(path).catch(() => 'other')) === 'missing') return { refs, whole: true };
  const text = await readRegularFile(path, maxBytes).catch(() => null);
  if (text === null) return { refs, whole: false };
  // In bytes: a cut text of many-byte characters is shorter than the limit.
  let whole = Buffer.byteLength(text) < maxBytes;
  for (const line of text.split('\n')) {
    const [id = '', name = ''] = line.split(' ');
    if (!ID.test(id)) whole &&= line === '' || /^[#^]/.test(line);
    else if (prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}/`))) refs.set(name, id);
  }
  return { refs, whole };
}
