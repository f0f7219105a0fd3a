import type { Hono } from 'hono';
import { AppError } from '../../errors/app-error.ts';
import { type AppContext, type AppEnv, rawPath } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { FALLBACK_PAGE } from '../fallback-page.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import type { StaticFile, StaticFiles } from '../static-files.ts';

const ASSETS = '/assets/';
/** The page may change under its name, an asset never does. */
const REVALIDATE = 'no-cache';
const FOREVER = 'public, max-age=31536000, immutable';

export function addPageRoutes(app: Hono<AppEnv>, files: StaticFiles): void {
  /** The page itself, at every address that it knows. */
  const page = async (c: AppContext): Promise<Response> => {
    const index = await files.index();
    if (index === null) return c.html(FALLBACK_PAGE, 503, { 'cache-control': 'no-store' });
    return serve(c, index, REVALIDATE);
  };
  for (const path of PAGE_PATHS) app.get(path, page);
  app.get(`${ASSETS}*`, async (c) => {
    const file = await files.asset(rawPath(c).slice(ASSETS.length));
    if (file === null) throw new AppError('not_found', 'there is no such file');
    return serve(c, file, FOREVER);
  });
  for (const path of [...PAGE_PATHS, `${ASSETS}*`]) app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
}

function serve(c: AppContext, file: StaticFile, cacheControl: string): Response {
  const headers = { etag: file.etag, 'cache-control': cacheControl };
  if (matchesTag(c.req.header('if-none-match'), file.etag)) return c.body(null, 304, headers);
  return c.body(file.body, 200, { ...headers, 'content-type': file.contentType });
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
