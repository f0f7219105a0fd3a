import { type Attack, leaving } from './attack.ts';

/** Where git or the worker opens a file by its name. */
const PLACES = [
  ...['.gitignore', '.gitattributes', '.gitmodules', 'src/.gitignore', 'src/.gitattributes'],
  ...['.git/index', '.git/HEAD', '.git/config', '.git/packed-refs', '.git/shallow', '.git/info/exclude'],
  ...['.git/refs/heads/evil', '.git/refs/stash', '.git/logs/refs/stash', '.git/commondir', '.git/index.lock'],
  ...['.git/objects/ab/cdefcdefcdefcdefcdefcdefcdefcdefcdefcd', '.git/objects/info/alternates'],
  ...['.git/objects/pack/pack-0123456789012345678901234567890123456789.idx', '.git/info/grafts'],
  ...['.aiops/TASK.md', '.aiops/PROMPT.md', 'sub/.git', 'README.md'],
];

/** What stands there instead: each would hold, fill or mislead whoever opens it. */
const KINDS: Readonly<Record<string, (path: string) => string>> = {
  'a pipe': (path) => `mkfifo ${path}`,
  'an endless device': (path) => `ln -s /dev/zero ${path}`,
  'a terabyte': (path) => `truncate -s 1T ${path}`,
  'a folder': (path) => `mkdir ${path}`,
  'a socket': (path) =>
    `cd "$(dirname ${path})" && python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('s')" && mv s "$(basename ${path})"`,
};

/** Of the kinds, how many each place gets, in turn; some places get all of them. */
const KINDS_PER_PLACE = Number(process.env['HOSTILE_KINDS'] ?? 2);
const EVERY_KIND = new Set(['.gitignore', '.git/config', '.git/index', 'sub/.git']);

export function fileAttacks(): readonly Attack[] {
  return PLACES.flatMap((path, place) =>
    Object.entries(KINDS)
      .filter(
        (_, kind, { length }) =>
          EVERY_KIND.has(path) || (kind + place * KINDS_PER_PLACE) % length < KINDS_PER_PLACE,
      )
      .map(([kind, make]) =>
        leaving(`${kind} as ${path}`, `mkdir -p "$(dirname ${path})" && rm -rf ${path} && ${make(path)}`),
      ),
  );
}

export function shapeAttacks(): readonly Attack[] {
  const rows = [
    {
      name: 'folders deeper than a path may be long',
      script: `python3 - <<'END'
import os
for _ in range(600):
    os.mkdir('deep-deep-deep'); os.chdir('deep-deep-deep')
open('file', 'w').write('x')
END`,
    },
    {
      name: 'fifty thousand files',
      script: `python3 -c "
import os
os.mkdir('many')
for n in range(50000): open('many/%d' % n, 'w').close()"`,
    },
    {
      name: 'names of every byte',
      script: `python3 -c "
for b in range(1, 256):
    if b not in (47,): open(b'n' + bytes([b]), 'w').write('x')"`,
    },
    { name: 'a pipe as a reference of an odd name', script: `mkfifo ".git/refs/heads/$(printf 'o\\377dd')"` },
    {
      name: 'logs deeper than a path may be long',
      script: `python3 - <<'END'
import os
os.makedirs('.git/logs/x'); os.chdir('.git/logs/x')
for _ in range(600):
    os.mkdir('deep-deep-deep'); os.chdir('deep-deep-deep')
END`,
    },
    { name: 'a tree that cannot be listed', script: 'mkdir shut && touch shut/x && chmod 000 shut' },
    { name: 'read-only folders', script: 'mkdir -p ro/a/b && touch ro/a/b/c && chmod -R a-w ro' },
    { name: 'a link to the root', script: 'ln -s / all && ln -s /proc/self/root again' },
    { name: 'a loop of links', script: 'ln -s b a; ln -s a b; ln -s . self' },
    { name: 'its own files deleted', script: 'rm -rf .aiops README.md src' },
    { name: 'a folder of its own replaced by a link', script: 'rm -rf src && ln -s /etc src' },
    { name: 'files of 300 MB of nothing', script: 'for n in 1 2 3; do truncate -s 300M hole$n; done' },
  ];
  return rows.map(({ name, script }) => leaving(name, script));
}
