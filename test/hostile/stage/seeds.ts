import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Random = (most: number) => number;

/** Small, fast and the same everywhere (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Where git or the worker opens something, and where they might. */
const PLACES = [
  ...[
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    'src/.gitignore',
    '.git/index',
    '.git/HEAD',
    '.git/config',
  ],
  ...['.git/packed-refs', '.git/shallow', '.git/info/exclude', '.git/info/attributes', '.git/info/grafts'],
  ...[
    '.git/refs/heads/x',
    '.git/refs/tags/x',
    '.git/refs/stash',
    '.git/refs/replace/x',
    '.git/logs/refs/stash',
  ],
  ...[
    '.git/commondir',
    '.git/gitdir',
    '.git/index.lock',
    '.git/objects/info/alternates',
    '.git/objects/ab/cd',
  ],
  ...['.git/objects/pack/pack-1.idx', '.git/objects/pack/pack-1.pack', '.git/objects/pack/multi-pack-index'],
  ...[
    '.git/objects/info/commit-graph',
    '.git/hooks/post-checkout',
    '.git/modules/x/config',
    '.git/reftable/x',
  ],
  ...[
    '.git/sharedindex.1',
    '.git/config.worktree',
    '.git/logs/HEAD',
    '.git/refs',
    '.git/objects',
    '.git/info',
  ],
  ...[
    'sub/.git',
    'sub/.git/HEAD',
    'sub/.git/config',
    'a/b/c/.git',
    '.aiops/TASK.md',
    '.aiops',
    'README.md',
    'src',
  ],
  ...[
    '-rf',
    'b\nc',
    'é',
    ' ',
    '.git/aiops/door.git/requests',
    '.git/ORIG_HEAD',
    '.git/MERGE_HEAD',
    '.git/aiops',
  ],
];
const TEXTS = [
  ...['', 'ref: refs/heads/main\n', 'gitdir: ../..\n', 'gitdir: /etc\n', '../..\n', '\0\u{ffff}', '[core]\n'],
  ...['* filter=evil diff=evil\n', '!*\n', `${'0'.repeat(40)}\n`, '[include]\n\tpath = /etc/passwd\n', '/\n'],
  ...[
    'DIRC\0\0\0\u0004\0\0\0\u0001',
    'PACK\0\0\0\u0002\0\0\0\u0001',
    `${'f'.repeat(40)} refs/heads/y\n`,
    'ref: x\n',
  ],
];
const TARGETS = ['/dev/zero', '/etc', '.', '..', '/proc/self/fd/0', 'nowhere', '/', '../../..'];

/** Changes a workspace in up to twenty places, whatever is there. The same seed makes the same changes. */
export function mutate(
  root: string,
  random: Random,
  outside: { readonly pipe: string; readonly file: string },
): void {
  for (let left = 4 + random(16); left > 0; left -= 1) {
    const path = join(root, PLACES[random(PLACES.length)] ?? 'x');
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (random(3) > 0) rmSync(path, { recursive: true, force: true });
      place(path, random, outside);
    } catch {
      // Something else has the name already, or stands in the way.
    }
  }
}

function place(
  path: string,
  random: Random,
  { pipe, file }: { readonly pipe: string; readonly file: string },
): void {
  const kind = random(9);
  if (kind === 0) mkdirSync(path);
  else if (kind === 1) symlinkSync(TARGETS[random(TARGETS.length)] ?? '/', path);
  else if (kind === 2) linkSync(pipe, path);
  else if (kind === 3) symlinkSync(file, path);
  else if (kind === 4) writeFileSync(path, randomBytes(random), { flag: 'wx' });
  else writeFileSync(path, TEXTS[random(TEXTS.length)] ?? '', { flag: 'wx' });
  if (kind === 5) truncateSync(path, 2 ** (10 + random(30)));
  if (kind === 6) chmodSync(path, 0o111);
}

function randomBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random(2_000) }, () => random(256)));
}
