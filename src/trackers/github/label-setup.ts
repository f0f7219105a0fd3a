import { repositoryPath } from '../../domain/repository.ts';
import { createGithubHttp } from '../../http/github.ts';
import { readPages } from '../../http/pages/paging.ts';
import type { ForgeTrackerOptions } from '../forge/adapter.ts';
import { unusable } from '../forge/rest/dialect.ts';
import { type LabelSetup, wantedLabels } from '../forge/states/label-setup.ts';
import { GITHUB } from './dialect.ts';
import { RestLabels } from './schema.ts';
import { githubStates } from './states.ts';

export function createGithubLabelSetup(options: ForgeTrackerOptions): LabelSetup {
  const http = createGithubHttp(options, options.endpoint);
  const path = `${repositoryPath(options.repository)}/labels`;
  const pages = { sizeParameter: 'per_page', pageSize: 100, maxPages: 50, purpose: 'tool' } as const;
  return {
    wanted: wantedLabels(githubStates(options)),
    async list(signal) {
      const parsed = RestLabels.safeParse((await readPages(http, { path, ...pages, signal })).items);
      if (!parsed.success) throw unusable(GITHUB, 'the labels');
      return parsed.data.map(({ name }) => name);
    },
    async create(body, signal) {
      await http.request({ method: 'POST', path, body, purpose: 'tool', signal });
    },
  };
}
