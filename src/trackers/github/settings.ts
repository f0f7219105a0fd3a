import { z } from 'zod';
import type { TrackerSettings } from '../../config/kinds.ts';
import { optional, text } from '../../config/schema/key.ts';
import { adapterKey, trackerText } from '../../config/schema/tracker.ts';
import { forgeKeys } from '../forge/settings.ts';

export const githubTracker: TrackerSettings = {
  kind: 'github',
  flatKeys: {},
  providerKeys: {
    token: optional(text, 'GitHub: another name for `api_key`.', {
      applies: 'next poll',
      secret: true,
      defaultText: 'none',
    }),
    api_url: trackerText('GitHub: another name for `endpoint`.'),
    ...forgeKeys,
    pull_request_claims: adapterKey(
      z.union([z.boolean(), text]),
      'GitHub: whether an open pull request holds back the issues it would close.',
      '`true`',
    ),
  },
  aliases: { api_key: 'token', endpoint: 'api_url' },
  credential: { variable: 'GITHUB_TOKEN', alsoNamed: ['GH_TOKEN', 'GITHUB_PAT'] },
  endpoint: { usual: 'https://api.github.com', variable: 'GITHUB_API_BASE_URL' },
  repositoryVariable: 'GITHUB_REPO',
  inactiveStates: [],
  maxPages: 10,
  scope: { key: 'repo', isFolder: false },
  hasAssociations: true,
};
