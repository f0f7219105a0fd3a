import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '../integration/workspaces/fixture.ts';

/** One thing that goes wrong with a mirror on disk. */
export interface Damage {
  readonly name: string;
  inflict(mirror: string, fixture: Fixture): void;
}

const MAIN = 'refs/remotes/origin/main';

/** Paths in `objects/pack`, largest file first. */
function packs(mirror: string, ending: '.pack' | '.idx'): string[] {
  const folder = join(mirror, 'objects', 'pack');
  const files = readdirSync(folder).filter((name) => name.endsWith(ending));
  const paths = files.map((name) => join(folder, name));
  return paths.sort((a, b) => statSync(b).size - statSync(a).size);
}

const first = (paths: readonly string[]): string => {
  const [path] = paths;
  if (path === undefined) throw new Error('there is no such file in the mirror');
  return path;
};

/** Packs are read-only, also for their owner. */
function overwrite(path: string, position: number, bytes: readonly number[]): void {
  chmodSync(path, 0o644);
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.from(bytes), 0, bytes.length, position);
  closeSync(file);
}

function truncate(path: string, share: number): void {
  chmodSync(path, 0o644);
  truncateSync(path, Math.floor(statSync(path).size * share));
}

function put(mirror: string, name: string, text: string): void {
  mkdirSync(join(mirror, name, '..'), { recursive: true });
  writeFileSync(join(mirror, name), text);
}

/** Every object becomes a loose one. Returns where that of the tip's first file is. */
function loosen(mirror: string, { git }: Fixture): string {
  for (const pack of packs(mirror, '.pack')) {
    const input = readFileSync(pack);
    for (const ending of ['pack', 'idx', 'rev']) rmSync(pack.replace(/pack$/, ending), { force: true });
    execFileSync('git', ['unpack-objects', '-q'], { cwd: mirror, input });
  }
  const blob = git(mirror, 'rev-parse', `${MAIN}:one.txt`);
  return join(mirror, 'objects', blob.slice(0, 2), blob.slice(2));
}

/** What a cleaner of files that nobody touched for long leaves behind. */
function deleteEverySecondFile(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const [index, path] of paths.entries()) if (index % 2 === 0) rmSync(path);
}

export const DAMAGES: readonly Damage[] = [
  { name: 'an empty ref', inflict: (mirror) => put(mirror, MAIN, '') },
  { name: 'a ref with rubbish in it', inflict: (mirror) => put(mirror, MAIN, 'rubbish\n') },
  {
    name: 'a ref to an object that is nowhere',
    inflict: (mirror) => put(mirror, 'refs/remotes/origin/other', `${'1'.repeat(40)}\n`),
  },
  { name: 'a truncated pack', inflict: (mirror) => truncate(first(packs(mirror, '.pack')), 0.5) },
  { name: 'an empty pack', inflict: (mirror) => truncate(first(packs(mirror, '.pack')), 0) },
  {
    name: 'the oldest pack gone',
    inflict: (mirror) => {
      const oldest = packs(mirror, '.pack').sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
      rmSync(first(oldest));
      rmSync(first(oldest).replace(/pack$/, 'idx'));
    },
  },
  { name: 'a pack gone, its index there', inflict: (mirror) => rmSync(first(packs(mirror, '.pack'))) },
  { name: 'an index of a pack gone', inflict: (mirror) => rmSync(first(packs(mirror, '.idx'))) },
  {
    name: 'a corrupt index of a pack',
    inflict: (mirror) =>
      overwrite(
        first(packs(mirror, '.idx')),
        16,
        Array.from({ length: 900 }, () => 0xff),
      ),
  },
  { name: 'a truncated index of a pack', inflict: (mirror) => truncate(first(packs(mirror, '.idx')), 0.5) },
  {
    name: 'one flipped bit in a pack',
    inflict: (mirror) => {
      const pack = first(packs(mirror, '.pack'));
      const position = Math.floor(statSync(pack).size / 2);
      overwrite(pack, position, [(readFileSync(pack)[position] ?? 0) ^ 0x10]);
    },
  },
  { name: 'an empty HEAD', inflict: (mirror) => put(mirror, 'HEAD', '') },
  { name: 'no HEAD', inflict: (mirror) => rmSync(join(mirror, 'HEAD')) },
  { name: 'rubbish in HEAD', inflict: (mirror) => put(mirror, 'HEAD', '\0\0rubbish') },
  { name: 'an empty config', inflict: (mirror) => put(mirror, 'config', '') },
  { name: 'rubbish in config', inflict: (mirror) => put(mirror, 'config', '[[[ rubbish\0') },
  { name: 'no config', inflict: (mirror) => rmSync(join(mirror, 'config')) },
  { name: 'no objects', inflict: (mirror) => rmSync(join(mirror, 'objects'), { recursive: true }) },
  { name: 'no packs', inflict: (mirror) => rmSync(join(mirror, 'objects', 'pack'), { recursive: true }) },
  { name: 'no refs', inflict: (mirror) => rmSync(join(mirror, 'refs'), { recursive: true }) },
  { name: 'rubbish in packed-refs', inflict: (mirror) => put(mirror, 'packed-refs', 'rubbish\nrubbish\n') },
  {
    name: 'an empty loose object',
    inflict: (mirror, fixture) => {
      const path = loosen(mirror, fixture);
      rmSync(path);
      writeFileSync(path, '');
    },
  },
  {
    name: 'a corrupt loose object',
    inflict: (mirror, fixture) => {
      const path = loosen(mirror, fixture);
      rmSync(path);
      writeFileSync(path, 'x\x9crubbish');
    },
  },
  {
    name: 'a loose object gone',
    inflict: (mirror, fixture) => rmSync(loosen(mirror, fixture)),
  },
  {
    name: 'lock files of a killed git',
    inflict: (mirror) => {
      for (const name of ['packed-refs.lock', 'HEAD.lock', 'config.lock', 'shallow.lock', `${MAIN}.lock`])
        put(mirror, name, '');
    },
  },
  {
    name: 'folders nobody may enter',
    inflict: (mirror) => {
      for (const name of ['objects/pack', 'objects', 'refs']) chmodSync(join(mirror, name), 0);
      chmodSync(mirror, 0);
    },
  },
  {
    name: 'a file in place of the mirror',
    inflict: (mirror) => {
      rmSync(mirror, { recursive: true });
      writeFileSync(mirror, 'rubbish');
    },
  },
  {
    name: 'an empty folder in place of the mirror',
    inflict: (mirror) => {
      rmSync(mirror, { recursive: true });
      mkdirSync(mirror);
    },
  },
  { name: 'no mirror', inflict: (mirror) => rmSync(mirror, { recursive: true }) },
  {
    name: 'borrowed objects that are nowhere',
    inflict: (mirror) => put(mirror, 'objects/info/alternates', `${mirror}/nowhere\n`),
  },
  {
    name: 'objects moved to a place that is gone',
    inflict: (mirror) => {
      rmSync(first(packs(mirror, '.pack')));
      put(mirror, 'objects/info/alternates', `${mirror}/nowhere\n`);
    },
  },
  { name: 'every second file deleted', inflict: (mirror) => deleteEverySecondFile(mirror) },
  { name: 'rubbish in the list of packs', inflict: (mirror) => put(mirror, 'aiops-packs.json', '{"') },
  { name: 'a cut history', inflict: (mirror) => put(mirror, 'shallow', `${'2'.repeat(40)}\n`) },
  {
    name: 'another repository in its place',
    inflict: (mirror, { base, git }) => {
      const other = join(base, 'other');
      git(base, 'init', '--quiet', '--initial-branch=main', other);
      writeFileSync(join(other, 'secret-of-others.txt'), 'x');
      git(other, 'add', '.');
      git(other, 'commit', '--quiet', '--message', 'Another history');
      git(other, 'tag', 'v-of-others');
      rmSync(mirror, { recursive: true });
      cpSync(join(other, '.git'), mirror, { recursive: true });
      appendFileSync(join(mirror, 'config'), '\n');
    },
  },
];
