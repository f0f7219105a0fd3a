import type { TrackerConfig } from '../../config/config.ts';
import { repositoryPath } from '../../domain/repository.ts';
import { createGiteaHttp } from '../../http/gitea.ts';
import { type ForgeDependencies, forgeSettings } from '../forge/from-config.ts';
import { type LabelDesk, wantedLabels } from '../forge/label-desk.ts';
import { listLabels } from './labels.ts';
import { giteaStates, parseStateLabels } from './states.ts';

export function createGiteaLabelDesk(config: TrackerConfig, dependencies: ForgeDependencies): LabelDesk {
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
