import { isAbsolute, relative, sep } from 'node:path';

/** True when `path` is `folder` itself or lies below it, by name alone: links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** True when `path` lies below `folder` and is not the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return relative(folder, path) !== '' && isInside(path, folder);
}
