import type { ForgeSettings } from '../../config/kinds.ts';

export const githubForge: ForgeSettings = {
  kind: 'github',
  servers: 'GitHub Enterprise Server',
  endpointText: '`https://HOST/api/v3` of GitHub Enterprise Server',
  apiPath: '/api/v3',
  endpointVariable: 'GITHUB_API_BASE_URL',
  service: {
    hosts: ['github.com', 'www.github.com', 'ssh.github.com'],
    endpoint: 'https://api.github.com',
  },
};
