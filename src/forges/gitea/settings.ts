import type { ForgeSettings } from '../../config/kinds.ts';

export const giteaForge: ForgeSettings = {
  kind: 'gitea',
  servers: 'Gitea or Forgejo',
  endpointText: 'the address of a Gitea or Forgejo server',
  apiPath: '',
  endpointVariable: 'GITEA_BASE_URL',
  service: null,
};
