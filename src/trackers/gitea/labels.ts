import { type Repository, repositoryPath } from '../../domain/repository.ts';
import { sameState } from '../../domain/state-name.ts';
import type { Purpose } from '../../http/budget/governor.ts';
import { readPages } from '../../http/pages/paging.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import { ToolRefusal } from '../../tools/tool-kit.ts';

import { unusable } from '../forge/rest/dialect.ts';
import { GITEA } from './dialect.ts';
import { GiteaLabels } from './schema.ts';

const MAX_PAGES = 20;

export interface GiteaLabel {
  readonly id: number;
  readonly name: string;
}

/** Labels of the repository and, where it belongs to one, of its organisation. */
export async function listLabels(
  http: ApiHttp,
  repository: Repository,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<readonly GiteaLabel[]> {
  const page = { sizeParameter: 'limit', pageSize: 50, maxPages: MAX_PAGES, purpose, signal } as const;
  const own = await readPages(http, { path: `${repositoryPath(repository)}/labels`, ...page });
  const parsed = GiteaLabels.safeParse(own.items);
  if (!parsed.success) throw unusable(GITEA, 'the labels');
  const shared = await http.request({
    path: `/orgs/${encodeURIComponent(repository.owner)}/labels?limit=50`,
    purpose,
    signal,
    expected: [403, 404],
  });
  const fromOrganisation = GiteaLabels.safeParse(shared.status === 200 ? shared.json : []);
  return [...(parsed.data ?? []), ...(fromOrganisation.data ?? [])];
}

/** The server takes labels by number; older ones take nothing else. */
export async function findLabel(
  http: ApiHttp,
  repository: Repository,
  name: string,
  signal: AbortSignal,
): Promise<GiteaLabel> {
  const labels = await listLabels(http, repository, 'tool', signal);
  const found = labels.find((label) => sameState(label.name, name));
  if (found !== undefined) return found;
  throw new ToolRefusal(
    'label_missing',
    `The repository has no label ${name}. A person can create it with "aiops labels sync".`,
  );
}
