import { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';

/** A page of a GraphQL connection whose entries are judged one by one. */
export const ConnectionPage = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable().catch(null) }),
});
export type ConnectionPage = z.infer<typeof ConnectionPage>;

export interface ConnectionPages {
  /** What is listed, for messages: `issues`. */
  readonly what: string;
  readonly maxPages: number;
  /** Where to start; null for the first page. */
  readonly after?: string | null;
  /** The connection in the answer for this page. */
  fetch(after: string | null): Promise<unknown>;
}

/** Every entry of a connection, page by page; all or nothing. */
export async function readConnection(pages: ConnectionPages): Promise<readonly unknown[]> {
  const { what, maxPages } = pages;
  const nodes: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor = pages.after ?? null, page = 1; page <= maxPages; page += 1) {
    const { nodes: entries, pageInfo } = parsePage(await pages.fetch(cursor), what);
    nodes.push(...entries);
    if (!pageInfo.hasNextPage) return nodes;
    cursor = nextCursor(pageInfo.endCursor, seen, what);
  }
  throw new AppError('tracker_pagination', `The tracker has more than ${maxPages} pages of ${what}.`, {
    hint: 'Raise tracker.pagination_max_pages, or move finished issues out of the active states.',
  });
}

export function parsePage(value: unknown, what: string): ConnectionPage {
  const page = ConnectionPage.safeParse(value);
  if (page.success) return page.data;
  throw new AppError('tracker_response', `The tracker's page of ${what} is not a page.`);
}

function nextCursor(cursor: string | null, seen: Set<string>, what: string): string {
  if (cursor !== null && cursor !== '' && !seen.has(cursor)) {
    seen.add(cursor);
    return cursor;
  }
  throw new AppError(
    'tracker_pagination',
    `The tracker has more ${what}, but does not say where they begin.`,
    {
      hint: 'The next poll tries again.',
    },
  );
}
