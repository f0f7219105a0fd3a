import type { TrackerConfig } from '../../config/config.ts';
import { repositoryPath } from '../../domain/repository.ts';
import { createGiteaHttp } from '../../http/gitea.ts';
import { type ForgeDependencies, forgeSettings } from '../forge/from-config.ts';
import { type LabelSetup, wantedLabels } from '../forge/states/label-setup.ts';
import { listLabels } from './labels.ts';
import { giteaStates, parseStateLabels } from './states.ts';

export function createGiteaLabelSetup(config: TrackerConfig, dependencies: ForgeDependencies): LabelSetup {
  const settings = forgeSettings(config, dependencies, 'GITEA_TOKEN');
  const http = createGiteaHttp(settings);
  const { repository } = settings;
  const labels = parseStateLabels(config.provider['state_labels']);
  return {
    wanted: wantedLabels(giteaStates({ ...settings, labels })),
    list: async (signal) => (await listLabels(http, repository, 'tool', signal)).map(({ name }) => name),
    async create({ name, color, description }, signal) {
      const body = { name, color: `#${color}`, description };
      await http.request({
        method: 'POST',
        path: `${repositoryPath(repository)}/labels`,
        body,
        purpose: 'tool',
        signal,
      });
    },
  };
}
