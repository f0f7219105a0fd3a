import { z } from 'zod';
import type { TrackerSettings } from '../../config/kinds.ts';
import { adapterKey } from '../../config/schema/tracker.ts';
import { forgeKeys } from '../forge/settings.ts';

/** Gitea and Forgejo. */
export const giteaTracker: TrackerSettings = {
  kind: 'gitea',
  flatKeys: {},
  providerKeys: {
    ...forgeKeys,
    state_labels: adapterKey(
      z.record(z.string(), z.unknown()),
      'Gitea: which label stands for which state, in order of precedence.',
      'the `aiops/*` table',
    ),
  },
  aliases: {},
  credential: { variable: 'GITEA_TOKEN', alsoNamed: ['GITEA_API_TOKEN'] },
  endpoint: { usual: 'http://localhost:3000', variable: 'GITEA_BASE_URL' },
  inactiveStates: ['Human Review', 'Merging'],
  maxPages: 20,
  scope: { key: 'repo', isFolder: false },
  refusedKeys: {
    project_slug: 'Remove it: gitea reads repo.owner and repo.name.',
  },
};
