import type { ForgeDesk } from '../forge/desk.ts';
import { readPages } from '../forge/paging.ts';
import { parseRepository, type Repository } from '../forge/record.ts';
import type { TrackerHttp, TrackerRequest } from '../http/tracker-http.ts';
import { repositoryPath, unusable } from './client.ts';
import { authorOf, parseRestIssue } from './normalize.ts';
import { RestComment, RestLabels, RestPullRequest, RestUrl } from './schema.ts';

const GONE = [301, 404, 410];
const MOST_COMMENT_PAGES = 10;

/** What the tools do on GitHub. */
export function createGithubDesk(http: TrackerHttp, repository: Repository): ForgeDesk {
  const root = repositoryPath(repository);
  const send = (
    method: NonNullable<TrackerRequest['method']>,
    path: string,
    signal: AbortSignal,
    more: Pick<TrackerRequest, 'body' | 'expected' | 'idempotent'> = {},
  ) => http.request({ method, path: `${root}${path}`, purpose: 'tool', signal, ...more });

  return {
    repository,
    async read(number, signal) {
      const { status, json } = await send('GET', `/issues/${number}`, signal, { expected: GONE });
      if (GONE.includes(status)) return null;
      const parsed = parseRestIssue(json, repository);
      if (parsed.kind === 'malformed') throw unusable(`#${number}`);
      return parsed.kind === 'record' ? parsed.record : null;
    },
    async comments(number, signal) {
      const { items } = await readPages(http, {
        path: `${root}/issues/${number}/comments`,
        sizeParameter: 'per_page',
        pageSize: 100,
        maxPages: MOST_COMMENT_PAGES,
        purpose: 'tool',
        signal,
      });
      return items.flatMap((item) => {
        const parsed = RestComment.safeParse(item);
        if (!parsed.success) return [];
        const { body, user, author_association: association, created_at: at } = parsed.data;
        return [{ author: authorOf(user, association), at: at ?? null, body }];
      });
    },
    async comment(number, body, signal) {
      const { json } = await send('POST', `/issues/${number}/comments`, signal, { body: { body } });
      return { url: RestUrl.safeParse(json).data?.html_url ?? null };
    },
    async addLabel(number, label, signal) {
      const { json } = await send('POST', `/issues/${number}/labels`, signal, {
        body: { labels: [label] },
        idempotent: true,
      });
      const parsed = RestLabels.safeParse(json);
      if (!parsed.success) throw unusable(`the labels of #${number}`);
      return parsed.data.map(({ name }) => name);
    },
    async removeLabel(number, label, signal) {
      await send('DELETE', `/issues/${number}/labels/${encodeURIComponent(label)}`, signal, {
        expected: [404],
        idempotent: true,
      });
    },
    async close(number, signal) {
      await send('PATCH', `/issues/${number}`, signal, {
        body: { state: 'closed', state_reason: 'completed' },
        idempotent: true,
      });
    },
    async pullRequest(number, signal) {
      const { status, json } = await send('GET', `/pulls/${number}`, signal, { expected: GONE });
      if (GONE.includes(status)) return null;
      const parsed = RestPullRequest.safeParse(json);
      if (!parsed.success) throw unusable(`pull request #${number}`);
      const { title, body, html_url: url, state, head } = parsed.data;
      return {
        number,
        title: title ?? '',
        body: body ?? '',
        url: url ?? null,
        open: state === 'open',
        headRef: head?.ref ?? null,
        headRepository: parseRepository(head?.repo?.full_name),
      };
    },
  };
}
