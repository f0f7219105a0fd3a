import { AppError } from '../../errors/app-error.ts';
import type { Purpose } from '../budget/governor.ts';
import type { ApiHttp } from '../request/api-http.ts';

export interface PageRequest {
  /** With its query, without page and page size. */
  readonly path: string;
  readonly sizeParameter: 'per_page' | 'limit';
  readonly pageSize: number;
  readonly maxPages: number;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

export interface Pages {
  readonly items: readonly unknown[];
  /** True when there was more than `maxPages` hold. */
  readonly capped: boolean;
}

/**
 * Reads page after page. Pages are numbered rather than followed, because a forge behind a proxy names addresses of its
 * own in `Link`. A page that fails fails the listing.
 */
export async function readPages(http: ApiHttp, request: PageRequest): Promise<Pages> {
  const { path, sizeParameter, pageSize, maxPages, purpose, signal } = request;
  const items: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const separator = path.includes('?') ? '&' : '?';
    const address = `${path}${separator}${sizeParameter}=${pageSize}${page === 1 ? '' : `&page=${page}`}`;
    const response = await http.request({ path: address, purpose, signal });
    if (!Array.isArray(response.json)) throw notAList(path, page);
    items.push(...response.json);
    if (!hasNext(response.headers, response.json.length, pageSize, items.length))
      return { items, capped: false };
    if (page >= maxPages) return { items, capped: true };
  }
}

function hasNext(headers: Headers, count: number, pageSize: number, seen: number): boolean {
  const link = headers.get('link');
  if (link !== null) return /rel="?next"?/i.test(link);
  const total = headers.get('x-total-count')?.trim() ?? '';
  if (/^\d+$/.test(total)) return count > 0 && seen < Number(total);
  return count >= pageSize;
}

function notAList(path: string, page: number): AppError {
  return new AppError('tracker_response', `Page ${page} of ${path.split('?')[0]} is not a list.`, {
    hint: 'Check that tracker.endpoint is the API of the forge.',
  });
}
