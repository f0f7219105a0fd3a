import type { TrackerConfig } from '../../config/config.ts';
import { type ForgeDependencies, forgeSettings } from '../forge/from-config.ts';
import type { Tracker } from '../tracker.ts';
import { createGiteaTracker } from './adapter.ts';
import { parseStateLabels } from './states.ts';

export async function createGiteaFromConfig(
  config: TrackerConfig,
  dependencies: ForgeDependencies,
): Promise<Tracker> {
  const settings = forgeSettings(config, dependencies, 'GITEA_TOKEN');
  return createGiteaTracker({ ...settings, stateLabels: parseStateLabels(config.provider['state_labels']) });
}
