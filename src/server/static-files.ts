import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { hasErrno } from '../errors/app-error.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** One plain name: no separator, no dot first, so it cannot leave its folder. */
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export interface StaticFile {
  readonly body: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly etag: string;
}

export interface StaticFiles {
  /** The page itself; null when the dashboard has not been built. Read anew, so that a rebuild shows. */
  index(): Promise<StaticFile | null>;
  /** A file of the assets folder. Their names carry a hash of their content, so they are read once. */
  asset(name: string): Promise<StaticFile | null>;
}

/** Serves the pages that a build puts into the folder. */
export function createStaticFiles(directory: string): StaticFiles {
  const assets = new Map<string, StaticFile>();

  return {
    index: () => readStaticFile(join(directory, 'index.html')),
    async asset(name) {
      if (!FILE_NAME.test(name)) return null;
      const known = assets.get(name);
      if (known !== undefined) return known;
      const file = await readStaticFile(join(directory, 'assets', name));
      if (file !== null) assets.set(name, file);
      return file;
    },
  };
}

async function readStaticFile(path: string): Promise<StaticFile | null> {
  const contentType = CONTENT_TYPES[extname(path)];
  if (contentType === undefined) return null;
  try {
    const body = await readFile(path);
    return { body, contentType, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 20)}"` };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].some((code) => hasErrno(error, code))) return null;
    throw error;
  }
}
