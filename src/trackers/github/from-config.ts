import type { TrackerConfig } from '../../config/config.ts';
import { forgeSettings } from '../forge/from-config.ts';
import { invalidSetting, readFlag } from '../provider-settings.ts';
import type { Tracker } from '../tracker.ts';
import type { TrackerAdapter, TrackerDependencies } from '../tracker-kind.ts';
import { createGithubTracker } from './adapter.ts';
import { createGithubLabelSetup } from './label-setup.ts';

const SECRET_VARIABLE = 'GITHUB_TOKEN';

export const githubAdapter: TrackerAdapter = {
  create: createFromConfig,
  labelSetup: (config, dependencies) =>
    createGithubLabelSetup(forgeSettings(config, dependencies, SECRET_VARIABLE)),
};

function createFromConfig(config: TrackerConfig, dependencies: TrackerDependencies): Tracker {
  const settings = forgeSettings(config, dependencies, SECRET_VARIABLE);
  const names = [...settings.activeStates, ...settings.terminalStates, ...settings.inactiveStates];
  const withComma = names.find((name) => name.includes(','));
  if (withComma !== undefined) {
    throw invalidSetting(
      `The state ${JSON.stringify(withComma)} cannot be a label filter: GitHub separates labels by commas.`,
      'Rename the label so that it has no comma.',
    );
  }
  return createGithubTracker({
    ...settings,
    pullRequestClaims: readFlag(config.provider, 'pull_request_claims'),
  });
}
