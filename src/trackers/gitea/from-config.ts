import type { TrackerConfig } from '../../config/config.ts';
import { type ForgeSettings, forgeSettings } from '../forge/from-config.ts';
import type { StateLabel } from '../forge/states/label-states.ts';
import type { TrackerAdapter, TrackerDependencies } from '../tracker-kind.ts';
import { createGiteaTracker } from './adapter.ts';
import { createGiteaLabelSetup } from './label-setup.ts';
import { parseStateLabels } from './states.ts';

export const giteaAdapter: TrackerAdapter = {
  create: (config, dependencies) => createGiteaTracker(settingsOf(config, dependencies)),
  labelSetup: (config, dependencies) => createGiteaLabelSetup(settingsOf(config, dependencies)),
};

function settingsOf(
  config: TrackerConfig,
  dependencies: TrackerDependencies,
): ForgeSettings & { readonly stateLabels: readonly StateLabel[] } {
  return {
    ...forgeSettings(config, dependencies, 'GITEA_TOKEN'),
    stateLabels: parseStateLabels(config.provider['state_labels']),
  };
}
