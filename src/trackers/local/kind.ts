import type { TrackerKind } from '../tracker-kind.ts';
import { localTracker } from './settings.ts';

/** A folder of Markdown issues. */
export const LOCAL: TrackerKind = {
  kind: 'local',
  settings: localTracker,
  states: null,
  webhook: null,
  load: async () => (await import('./from-config.ts')).localAdapter,
};
