import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Text {
  readonly where: string;
  readonly bytes: Buffer;
}

/** Every file below a folder, and every object of every repository and bundle among them, unpacked. */
export function readAll(folder: string, scratch: string): readonly Text[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => lstatSync(path).isFile());
  const repositories = paths.filter(
    (path) =>
      lstatSync(path).isDirectory() &&
      files.includes(join(path, 'HEAD')) &&
      paths.includes(join(path, 'objects')),
  );
  return [
    ...files.map((path) => ({ where: path, bytes: readFileSync(path) })),
    ...repositories.map((path) => ({ where: `objects of ${path}`, bytes: objectsOf(path) })),
    ...files.filter((path) => path.endsWith('.bundle')).map((path) => unbundled(path, repositories, scratch)),
  ];
}

function unbundled(path: string, repositories: readonly string[], scratch: string): Text {
  const folder = mkdtempSync(join(scratch, 'unbundled-'));
  git(folder, ['init', '--quiet', '--bare', '.']);
  const borrowed = repositories.map((repository) => join(repository, 'objects')).join(':');
  git(folder, ['bundle', 'unbundle', path], borrowed);
  return { where: `objects of ${path}`, bytes: objectsOf(folder) };
}

function objectsOf(repository: string): Buffer {
  return git(repository, ['cat-file', '--batch-all-objects', '--batch']);
}

function git(cwd: string, args: readonly string[], borrowed = ''): Buffer {
  const env = {
    PATH: process.env['PATH'],
    GIT_DIR: cwd,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed,
  };
  return execFileSync('git', args, {
    cwd,
    env,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Where a secret shows up, as it is or as addresses, headers and messages carry one. */
export function leaksOf(secret: string, texts: readonly Text[]): readonly string[] {
  const forms = formsOf(secret);
  return texts.flatMap(({ where, bytes }) =>
    forms.some((form) => bytes.includes(form)) ? [`${secret} in ${where}`] : [],
  );
}

function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .slice(4, -4),
  );
  const hex = Buffer.from(secret).toString('hex');
  return [
    ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64, hex]),
  ];
}
