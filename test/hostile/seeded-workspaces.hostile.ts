import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkRepository } from '../../src/workspaces/reading/check-repository.ts';
import { recognise } from '../../src/workspaces/reading/git-identity.ts';
import { scanWorkTree } from '../../src/workspaces/reading/scan-work-tree.ts';
import { isUnsafeRepository } from '../../src/workspaces/reading/unsafe.ts';
import { blobStream, lookAtFiles } from '../../src/workspaces/reading/work-tree-files.ts';
import { deleteTree } from '../../src/workspaces/remove-tree.ts';

const SEEDS = Number(process.env['HOSTILE_SEEDS'] ?? 10_000);
const MOST_BYTES = 400 * 1024 * 1024;
const base = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-seeds-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Small, fast and the same everywhere (mulberry32). */
function randomOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const NAMES = [
  ...['.git', '.gitignore', '.gitattributes', '.gitmodules', 'HEAD', 'config', 'index', 'objects', 'refs'],
  ...['packed-refs', 'info', 'exclude', 'pack', 'ab', 'heads', 'main', 'shallow', 'commondir', 'a', 'b\nc'],
  ...['é', '-rf', ' ', '.aiops', 'logs', 'stash', 'modules', 'reftable', 'alternates', 'sharedindex.1'],
];
const TEXTS = [
  '',
  'ref: refs/heads/main\n',
  'gitdir: ../..\n',
  'gitdir: /etc\n',
  '../..\n',
  '\0\u{ffff}',
  '[core]\n',
];
const TARGETS = ['/dev/zero', '/etc', '.', '..', '/proc/self/fd/0', 'nowhere', '/'];

function build(root: string, random: (most: number) => number, pipe: string): string[] {
  const paths: string[] = [];
  for (let entry = 0; entry < 12; entry += 1) {
    const inGit = random(2) === 0 ? ['.git'] : [];
    const way = [
      ...inGit,
      ...Array.from({ length: 1 + random(3) }, () => NAMES[random(NAMES.length)] ?? 'x'),
    ];
    const path = join(root, ...way);
    try {
      mkdirSync(dirname(path), { recursive: true });
      place(path, random, pipe);
      paths.push(way.join('/'));
    } catch {
      // Something else has the name already.
    }
  }
  return paths;
}

function place(path: string, random: (most: number) => number, pipe: string): void {
  const kind = random(7);
  if (kind === 0) mkdirSync(path);
  else if (kind === 1) symlinkSync(TARGETS[random(TARGETS.length)] ?? '/', path);
  else if (kind === 2) symlinkSync(pipe, path);
  else writeFileSync(path, TEXTS[random(TEXTS.length)] ?? '', { flag: 'wx' });
  if (kind === 3) truncateSync(path, 2 ** (10 + random(30)));
  if (kind === 4) chmodSync(path, 0o111);
}

async function judged(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnsafeRepository(error)) throw error;
  }
}

test(`${SEEDS} workspaces of every shape are looked at without harm`, { timeout: 1_800_000 }, async () => {
  const pipe = join(base, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const before = process.memoryUsage().rss;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const root = join(base, `w${seed}`);
    mkdirSync(root);
    const paths = build(root, randomOf(seed), pipe);
    await judged(() => scanWorkTree({ path: root, boundary: root }));
    await judged(async () => {
      const known = await recognise(root, null);
      if (known !== null) await checkRepository(known.location);
    });
    const found = await lookAtFiles(root, paths);
    const small = found.filter(({ mode, size }) => mode !== null && size < 1_000_000);
    let bytes = 0;
    await judged(async () => {
      for await (const chunk of blobStream(root, small)) bytes += chunk.length;
    });
    expect(bytes).toBeLessThan(20_000_000);
    await deleteTree(root);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_BYTES);
});
