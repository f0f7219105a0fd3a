import type { TrackerConfig } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { parseRepository } from '../../domain/repository.ts';
import { AppError } from '../../errors/app-error.ts';
import { createGovernor } from '../../http/budget/governor.ts';
import { invalidSetting, readFlag, secretNames } from '../provider-settings.ts';
import type { TrackerDependencies } from '../tracker-kind.ts';
import type { ForgeTrackerOptions } from './adapter.ts';

/** The settings every forge has, checked. */
export type ForgeSettings = Required<Omit<ForgeTrackerOptions, 'fetch' | 'timeoutMs'>>;

export function forgeSettings(
  config: TrackerConfig,
  { logger, clock = systemClock, governors }: TrackerDependencies,
  secretVariable: string,
): ForgeSettings {
  const { apiKey, endpoint, kind, provider } = config;
  if (apiKey === null || apiKey.reveal() === '') {
    throw new AppError('missing_tracker_secret', `${kind} needs a credential.`, {
      hint: `Set ${secretVariable}, or name another variable with tracker.api_key: $NAME.`,
    });
  }
  if (endpoint === null)
    throw invalidSetting('tracker.endpoint is not set.', `Write the address of the ${kind} API.`);
  const repository = parseRepository(provider['repo']);
  if (repository === null) {
    throw invalidSetting(
      `${kind} needs to know whose issues to read.`,
      'Set repo.owner and repo.name, or tracker.provider.repo: owner/name.',
    );
  }
  return {
    endpoint,
    token: apiKey,
    repository,
    activeStates: config.activeStates,
    terminalStates: config.terminalStates,
    inactiveStates: config.inactiveStates,
    assignee: config.assignee,
    trust: config.trust,
    maxPages: config.paginationMaxPages,
    allowTerminal: readFlag(provider, 'allow_terminal'),
    identifierPrefix: readPrefix(provider),
    secretEnvironmentNames: secretNames(secretVariable, config),
    governor: governors?.of(endpoint, apiKey.reveal()) ?? createGovernor({ clock }),
    logger,
    clock,
  };
}

function readPrefix(provider: TrackerConfig['provider']): string {
  const value = provider['identifier_prefix'] ?? '#';
  if (typeof value === 'string' && /^[A-Za-z#][A-Za-z0-9_-]{0,31}$/.test(value)) return value;
  throw invalidSetting(
    'tracker.provider.identifier_prefix cannot start an identifier.',
    'Use "#" or a short word such as GH-.',
  );
}
