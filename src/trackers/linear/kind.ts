import type { TrackerKind } from '../tracker-kind.ts';
import { linearTracker } from './settings.ts';
import { LINEAR_SETUP } from './setup.ts';

/** A project of Linear. */
export const LINEAR: TrackerKind = {
  kind: 'linear',
  settings: linearTracker,
  setup: LINEAR_SETUP,
  states: 'named',
  webhook: {
    signatures: [{ header: 'linear-signature', prefix: '' }],
    deliveryHeaders: ['linear-delivery'],
    eventHeaders: ['linear-event'],
    waking: new Set(['Issue', 'IssueLabel', 'IssueRelation', 'Project']),
    maxBytes: 1024 * 1024,
    dated: true,
  },
  load: async () => (await import('./from-config.ts')).linearAdapter,
};
