import type { Repository } from '../../domain/repository.ts';
import { sameState } from '../../domain/state-name.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import { sendToRepository } from '../../http/request/repository-request.ts';
import { unusable } from '../forge/rest/dialect.ts';

import { createRestActions } from '../forge/rest/rest-actions.ts';
import type { ForgeActions } from '../forge/tools/actions.ts';
import { GITEA } from './dialect.ts';
import { findLabel } from './labels.ts';
import { authorOf } from './normalize.ts';
import { GiteaComment, GiteaLabels } from './schema.ts';

/** What the tools do on Gitea and Forgejo. */
export function createGiteaActions(http: ApiHttp, repository: Repository): ForgeActions {
  const send = sendToRepository(http, repository);

  function labelsIn(json: unknown, number: number) {
    const parsed = GiteaLabels.safeParse(json);
    if (!parsed.success) throw unusable(GITEA, `the labels of #${number}`);
    return parsed.data ?? [];
  }

  return {
    ...createRestActions(send, repository, GITEA, { state: 'closed' }),
    async comments(number, signal) {
      // The server gives all comments at once.
      const { json } = await send('GET', `/issues/${number}/comments`, signal);
      if (!Array.isArray(json)) throw unusable(GITEA, `the comments of #${number}`);
      return json.flatMap((item: unknown) => {
        const parsed = GiteaComment.safeParse(item);
        if (!parsed.success) return [];
        const { body, created_at: at } = parsed.data;
        return [{ author: authorOf(parsed.data), at: at ?? null, body }];
      });
    },
    async addLabel(number, label, signal) {
      const { id } = await findLabel(http, repository, label, signal);
      const body = { labels: [id] };
      const { json } = await send('POST', `/issues/${number}/labels`, signal, { body, idempotent: true });
      return labelsIn(json, number).map(({ name }) => name);
    },
    async removeLabel(number, label, signal) {
      const { json } = await send('GET', `/issues/${number}/labels`, signal);
      for (const { id, name } of labelsIn(json, number)) {
        if (!sameState(name, label)) continue;
        await send('DELETE', `/issues/${number}/labels/${id}`, signal, { expected: [404], idempotent: true });
      }
    },
  };
}
