import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile, replaceFile } from '../files/path-safety.ts';
import { type GitConfig, renderGitConfig } from './config-text.ts';

const MAX_SHALLOW_BYTES = 64 * 1024 * 1024;

/** What a git directory is to hold; parts that are left out stay as they are. */
export interface RepositoryParts {
  /** The ref that HEAD names. */
  readonly head?: string;
  readonly config?: GitConfig;
  /** Folders of objects that it borrows from. */
  readonly borrows?: readonly string[];
  readonly refs?: Iterable<readonly [name: string, id: string]>;
  /** A repository whose history may end early; then this one's ends there too. */
  readonly shallowAs?: string;
}

/** Writes a git directory of the worker's own, without a git process. A file that is right already is not touched. */
export async function writeRepository(path: string, parts: RepositoryParts): Promise<void> {
  const { head, config, borrows, refs, shallowAs } = parts;
  for (const folder of [
    ['objects', 'info'],
    ['refs', 'heads'],
  ])
    await mkdir(join(path, ...folder), { recursive: true, mode: 0o700 });
  const shallow =
    shallowAs === undefined ? null : await readRegularFile(join(shallowAs, 'shallow'), MAX_SHALLOW_BYTES);
  const files = [
    ['HEAD', head === undefined ? null : `ref: ${head}\n`],
    ['config', config === undefined ? null : renderGitConfig(config)],
    ['objects/info/alternates', borrows?.map((folder) => `${folder}\n`).join('') ?? null],
    ['packed-refs', refs === undefined ? null : [...refs].map(([name, id]) => `${id} ${name}\n`).join('')],
    ['shallow', shallow],
  ] as const;
  for (const [name, content] of files) {
    if (content === null) continue;
    const file = join(path, name);
    if ((await readRegularFile(file, content.length + 1)) !== content) await replaceFile(file, content);
  }
}
