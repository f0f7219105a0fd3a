import { repositoryPath } from '../../domain/repository.ts';
import { createGiteaHttp } from '../../http/gitea.ts';
import type { ForgeTrackerOptions } from '../forge/adapter.ts';
import { type LabelSetup, wantedLabels } from '../forge/states/label-setup.ts';
import type { StateLabel } from '../forge/states/label-states.ts';
import { listLabels } from './labels.ts';
import { giteaStates } from './states.ts';

type Options = ForgeTrackerOptions & { readonly stateLabels: readonly StateLabel[] };

export function createGiteaLabelSetup(options: Options): LabelSetup {
  const http = createGiteaHttp(options);
  const { repository } = options;
  const path = `${repositoryPath(repository)}/labels`;
  return {
    wanted: wantedLabels(giteaStates({ ...options, labels: options.stateLabels })),
    list: async (signal) => (await listLabels(http, repository, 'tool', signal)).map(({ name }) => name),
    async create({ name, color, description }, signal) {
      const body = { name, color: `#${color}`, description };
      await http.request({ method: 'POST', path, body, purpose: 'tool', signal });
    },
  };
}
