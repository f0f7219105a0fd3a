import type { TrackerConfig } from '../../config/config.ts';
import { type ForgeDependencies, forgeSettings } from '../forge/from-config.ts';
import { invalidSetting, readFlag } from '../provider-settings.ts';
import type { Tracker } from '../tracker.ts';
import { createGithubTracker } from './adapter.ts';

export async function createGithubFromConfig(
  config: TrackerConfig,
  dependencies: ForgeDependencies,
): Promise<Tracker> {
  const settings = forgeSettings(config, dependencies, 'GITHUB_TOKEN');
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
