import { existsSync } from 'node:fs';
import { dirname, join, relative as relativePath, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path of a program of this package that runs as a process of its own, given relative to the module that
 * starts it (`import.meta.url`). A process cannot run TypeScript, so from a source module (in tests) the path is that of
 * the built file in `dist/`; from a built module it is simply the neighbour. `.ts` is read as `.js`.
 */
export function resolveProgram(moduleUrl: string, relative: string): string {
  const target = resolve(dirname(fileURLToPath(moduleUrl)), relative).replace(/\.ts$/, '.js');
  const root = packageRoot(dirname(target));
  const [top, ...rest] = relativePath(root, target).split(sep);
  return top === 'src' ? join(root, 'dist', ...rest) : target;
}

/** The nearest folder upwards that holds a `package.json`. */
export function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`${from} is not inside a package`);
  }
}
