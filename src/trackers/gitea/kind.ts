import { FORGE_EVENTS, HUB_SIGNATURE, MAX_FORGE_WEBHOOK_BYTES } from '../forge/webhook.ts';
import type { TrackerKind } from '../tracker-kind.ts';
import { giteaTracker } from './settings.ts';
import { GITEA_SETUP } from './setup.ts';
import { parseStateLabels } from './states.ts';

/** The issues of a repository on Gitea, or on Forgejo, which sends both families of headers. */
export const GITEA_ISSUES: TrackerKind = {
  kind: 'gitea',
  settings: giteaTracker,
  setup: GITEA_SETUP,
  states: 'labels',
  webhook: {
    signatures: [
      { header: 'x-forgejo-signature', prefix: '' },
      { header: 'x-gitea-signature', prefix: '' },
      HUB_SIGNATURE,
    ],
    deliveryHeaders: ['x-forgejo-delivery', 'x-gitea-delivery', 'x-github-delivery'],
    eventHeaders: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
    waking: new Set([...FORGE_EVENTS, 'issue_assign', 'issue_label', 'issue_milestone']),
    maxBytes: MAX_FORGE_WEBHOOK_BYTES,
    dated: false,
  },
  stateLabels: ({ provider }) => parseStateLabels(provider['state_labels']),
  load: async () => (await import('./from-config.ts')).giteaAdapter,
};
