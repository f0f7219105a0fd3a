import type { TrackerKind } from '../tracker-kind.ts';

/** A folder of Markdown issues. */
export const LOCAL: TrackerKind = {
  kind: 'local',
  states: null,
  webhook: null,
  load: async () => (await import('./from-config.ts')).localAdapter,
};
