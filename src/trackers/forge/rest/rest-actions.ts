import { parseRepository, type Repository } from '../../../domain/repository.ts';
import type { SendToRepository } from '../../../http/request/repository-request.ts';
import type { ForgeActions } from '../tools/actions.ts';

import { type RestDialect, unusable } from './dialect.ts';
import { RestPullRequest, RestUrl } from './schema.ts';

/** What the tools do on both forges in the same way. `closing` is the body that closes an issue. */
export function createRestActions(
  send: SendToRepository,
  repository: Repository,
  dialect: RestDialect,
  closing: Readonly<Record<string, string>>,
): Pick<ForgeActions, 'repository' | 'read' | 'comment' | 'close' | 'pullRequest'> {
  async function readOptional(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, json } = await send('GET', path, signal, { expected: dialect.gone });
    return dialect.gone.includes(status) ? undefined : json;
  }

  return {
    repository,
    async read(number, signal) {
      const json = await readOptional(`/issues/${number}`, signal);
      if (json === undefined) return null;
      const parsed = dialect.parseIssue(json, repository);
      if (parsed.kind === 'malformed') throw unusable(dialect, `#${number}`);
      return parsed.kind === 'record' ? parsed.record : null;
    },
    async comment(number, body, signal) {
      const { json } = await send('POST', `/issues/${number}/comments`, signal, { body: { body } });
      return { url: RestUrl.safeParse(json).data?.html_url ?? null };
    },
    async close(number, signal) {
      await send('PATCH', `/issues/${number}`, signal, { body: closing, idempotent: true });
    },
    async pullRequest(number, signal) {
      const json = await readOptional(`/pulls/${number}`, signal);
      if (json === undefined) return null;
      const parsed = RestPullRequest.safeParse(json);
      if (!parsed.success) throw unusable(dialect, `pull request #${number}`);
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
