import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path of a file that belongs to this package, given from its root: the same from a source module, from a
 * compiled one and from a bundle. Programs that run as processes of their own are named by their built file in `dist/`.
 * No other module finds a file by its own address: a bundle moves modules.
 */
export function packageFile(path: string): string {
  return join(packageRoot(dirname(fileURLToPath(import.meta.url))), path);
}

/** The nearest folder upwards that holds a `package.json`. */
function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`${from} is not inside a package`);
  }
}
