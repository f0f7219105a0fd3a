import { type Repository, repositoryPath } from '../../domain/repository.ts';
import { readPages } from '../../http/pages/paging.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import { sendToRepository } from '../../http/request/repository-request.ts';
import { unusable } from '../forge/rest/dialect.ts';

import { createRestActions } from '../forge/rest/rest-actions.ts';
import type { ForgeActions } from '../forge/tools/actions.ts';
import { GITHUB } from './dialect.ts';
import { authorOf } from './normalize.ts';
import { RestComment, RestLabels } from './schema.ts';

const MAX_COMMENT_PAGES = 10;

/** What the tools do on GitHub. */
export function createGithubActions(http: ApiHttp, repository: Repository): ForgeActions {
  const send = sendToRepository(http, repository);

  return {
    ...createRestActions(send, repository, GITHUB, { state: 'closed', state_reason: 'completed' }),
    async comments(number, signal) {
      const { items } = await readPages(http, {
        path: `${repositoryPath(repository)}/issues/${number}/comments`,
        sizeParameter: 'per_page',
        pageSize: 100,
        maxPages: MAX_COMMENT_PAGES,
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
    async addLabel(number, label, signal) {
      const { json } = await send('POST', `/issues/${number}/labels`, signal, {
        body: { labels: [label] },
        idempotent: true,
      });
      const parsed = RestLabels.safeParse(json);
      if (!parsed.success) throw unusable(GITHUB, `the labels of #${number}`);
      return parsed.data.map(({ name }) => name);
    },
    async removeLabel(number, label, signal) {
      await send('DELETE', `/issues/${number}/labels/${encodeURIComponent(label)}`, signal, {
        expected: [404],
        idempotent: true,
      });
    },
  };
}
