import type { TrackerConfig } from '../../config/config.ts';
import type { Secret } from '../../config/resolve/secret.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { parseRepository, type Repository } from '../../domain/repository.ts';
import type { TrustRules } from '../../domain/trust.ts';
import { AppError } from '../../errors/app-error.ts';
import { createGovernor, type Governor } from '../../http/budget/governor.ts';
import type { Governors } from '../../http/budget/governors.ts';
import type { Logger } from '../../observability/logger.ts';

export interface ForgeDependencies {
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly governors?: Governors;
}

/** The settings both forges share, checked. */
export interface ForgeSettings {
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  readonly assignee: string | null;
  readonly trust: TrustRules | null;
  /** 0 means the adapter's default. */
  readonly maxPages: number;
  readonly allowTerminal: boolean;
  readonly identifierPrefix: string;
  readonly secretEnvironmentNames: readonly string[];
  readonly governor: Governor;
  readonly logger: Logger;
  readonly clock: Clock;
}

export function forgeSettings(
  config: TrackerConfig,
  { logger, clock = systemClock, governors }: ForgeDependencies,
  secretVariable: string,
): ForgeSettings {
  const { apiKey, endpoint, kind, provider } = config;
  if (apiKey === null || apiKey.reveal() === '') {
    throw new AppError('missing_tracker_secret', `${kind} needs a credential.`, {
      hint: `Set ${secretVariable}, or name another variable with tracker.api_key: $NAME.`,
    });
  }
  if (endpoint === null)
    throw invalid('tracker.endpoint is not set', `Write the address of the ${kind} API.`);
  const repository = parseRepository(provider['repo']);
  if (repository === null) {
    throw invalid(
      `${kind} needs to know whose issues to read`,
      'Set repo.owner and repo.name, or tracker.provider.repo: owner/name.',
    );
  }
  const own = config.apiKeyVariable === null ? [] : [config.apiKeyVariable];
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
    secretEnvironmentNames: [...new Set([secretVariable, ...own])],
    governor: governors?.of(endpoint, apiKey.reveal()) ?? createGovernor({ clock }),
    logger,
    clock,
  };
}

/** True unless the workflow says `false`. */
export function readFlag(provider: TrackerConfig['provider'], name: string): boolean {
  const value = provider[name] ?? true;
  if (typeof value === 'boolean') return value;
  throw invalid(`tracker.provider.${name} must be true or false`, 'Write it without quotes.');
}

function readPrefix(provider: TrackerConfig['provider']): string {
  const value = provider['identifier_prefix'] ?? '#';
  if (typeof value === 'string' && /^[A-Za-z#][A-Za-z0-9_-]{0,31}$/.test(value)) return value;
  throw invalid(
    'tracker.provider.identifier_prefix cannot start an identifier',
    'Use "#" or a short word such as GH-.',
  );
}

function invalid(message: string, hint: string): AppError {
  return new AppError('invalid_tracker_config', `${message}.`, { hint });
}
