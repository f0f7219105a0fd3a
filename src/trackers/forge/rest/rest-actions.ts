import { parseRepository, type Repository, repositoryPath } from '../../../domain/repository.ts';
import type { ApiHttp, ApiRequest, ApiResponse } from '../../../http/request/api-http.ts';
import type { ForgeActions } from '../tools/actions.ts';

import { type RestDialect, unusable } from './dialect.ts';
import { RestPullRequest, RestUrl } from './schema.ts';

/** Sends a request about the repository for a tool. */
export type Send = (
  method: NonNullable<ApiRequest['method']>,
  path: string,
  signal: AbortSignal,
  more?: Pick<ApiRequest, 'body' | 'expected' | 'idempotent'>,
) => Promise<ApiResponse>;

export function createSend(http: ApiHttp, repository: Repository): Send {
  const root = repositoryPath(repository);
  return (method, path, signal, more = {}) =>
    http.request({ method, path: `${root}${path}`, purpose: 'tool', signal, ...more });
}

/** What the tools do on both forges in the same way. `closing` is the body that closes an issue. */
export function createRestActions(
  send: Send,
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
