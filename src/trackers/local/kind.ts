import type { TrackerKind } from '../tracker-kind.ts';
import { localTracker } from './settings.ts';
import { LOCAL_SETUP } from './setup.ts';

/** A folder of Markdown issues. */
export const LOCAL: TrackerKind = {
  kind: 'local',
  settings: localTracker,
  setup: LOCAL_SETUP,
  states: null,
  webhook: null,
  load: async () => (await import('./from-config.ts')).localAdapter,
};
