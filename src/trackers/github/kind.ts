import { FORGE_EVENTS, HUB_SIGNATURE, MAX_FORGE_WEBHOOK_BYTES } from '../forge/webhook.ts';
import type { TrackerKind } from '../tracker-kind.ts';
import { githubTracker } from './settings.ts';
import { GITHUB_SETUP } from './setup.ts';

/** The issues of a repository on GitHub. */
export const GITHUB_ISSUES: TrackerKind = {
  kind: 'github',
  settings: githubTracker,
  setup: GITHUB_SETUP,
  states: 'labels',
  webhook: {
    signatures: [HUB_SIGNATURE],
    deliveryHeaders: ['x-github-delivery'],
    eventHeaders: ['x-github-event'],
    waking: new Set([...FORGE_EVENTS, 'sub_issues', 'issue_dependencies', 'label']),
    maxBytes: MAX_FORGE_WEBHOOK_BYTES,
    dated: false,
  },
  load: async () => (await import('./from-config.ts')).githubAdapter,
};
