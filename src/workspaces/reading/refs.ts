import { join } from 'node:path';
import { pathKind } from '../files/path-safety.ts';
import { readRefFiles } from '../git/read-ref-files.ts';
import type { RepositoryView } from './repository-view.ts';

/** What every ref names. Symbolic and odd ones, and another way of storing them, are left to git. */
export async function readRefs(
  query: RepositoryView['query'],
  commonDirectory: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const plain = await readPlainRefs(commonDirectory);
  if (plain !== null) return plain;
  const call = signal === undefined ? {} : { signal };
  const listing = await query(['for-each-ref', '--format=%(objectname) %(refname)'], call);
  const lines = (listing ?? '').split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

/** Null when not all of them are files that name an object. */
export async function readPlainRefs(commonDirectory: string): Promise<Map<string, string> | null> {
  if ((await pathKind(join(commonDirectory, 'reftable'))) !== 'missing') return null;
  return readRefFiles(commonDirectory, ['refs'], true);
}
