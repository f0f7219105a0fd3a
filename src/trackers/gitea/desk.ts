import { sameState } from '../../domain/state-name.ts';
import type { ForgeDesk } from '../forge/desk.ts';
import { parseRepository, type Repository } from '../forge/record.ts';
import type { TrackerHttp, TrackerRequest } from '../http/tracker-http.ts';
import { repositoryPath, unusable } from './client.ts';
import { findLabel } from './labels.ts';
import { authorOf, parseIssue } from './normalize.ts';
import { GiteaComment, GiteaLabels, GiteaPullRequest, GiteaUrl } from './schema.ts';

const GONE = [404, 410];

/** What the tools do on Gitea and Forgejo. */
export function createGiteaDesk(http: TrackerHttp, repository: Repository): ForgeDesk {
  const root = repositoryPath(repository);
  const send = (
    method: NonNullable<TrackerRequest['method']>,
    path: string,
    signal: AbortSignal,
    more: Pick<TrackerRequest, 'body' | 'expected' | 'idempotent'> = {},
  ) => http.request({ method, path: `${root}${path}`, purpose: 'tool', signal, ...more });

  function labelsIn(json: unknown, number: number) {
    const parsed = GiteaLabels.safeParse(json);
    if (!parsed.success) throw unusable(`the labels of #${number}`);
    return parsed.data ?? [];
  }

  return {
    repository,
    async read(number, signal) {
      const { status, json } = await send('GET', `/issues/${number}`, signal, { expected: GONE });
      if (GONE.includes(status)) return null;
      const parsed = parseIssue(json, repository);
      if (parsed.kind === 'malformed') throw unusable(`#${number}`);
      return parsed.kind === 'record' ? parsed.record : null;
    },
    async comments(number, signal) {
      // The server gives all comments at once.
      const { json } = await send('GET', `/issues/${number}/comments`, signal);
      if (!Array.isArray(json)) throw unusable(`the comments of #${number}`);
      return json.flatMap((item: unknown) => {
        const parsed = GiteaComment.safeParse(item);
        if (!parsed.success) return [];
        const { body, created_at: at } = parsed.data;
        return [{ author: authorOf(parsed.data), at: at ?? null, body }];
      });
    },
    async comment(number, body, signal) {
      const { json } = await send('POST', `/issues/${number}/comments`, signal, { body: { body } });
      return { url: GiteaUrl.safeParse(json).data?.html_url ?? null };
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
    async close(number, signal) {
      await send('PATCH', `/issues/${number}`, signal, { body: { state: 'closed' }, idempotent: true });
    },
    async pullRequest(number, signal) {
      const { status, json } = await send('GET', `/pulls/${number}`, signal, { expected: GONE });
      if (GONE.includes(status)) return null;
      const parsed = GiteaPullRequest.safeParse(json);
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
