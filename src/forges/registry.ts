import type { ForgeConfig } from '../config/config.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { createGovernor } from '../http/budget/governor.ts';
import type { Governors } from '../http/budget/governors.ts';
import type { Logger } from '../observability/logger.ts';
import type { ForgeOptions } from './connection.ts';
import type { Forge } from './forge.ts';

export interface ForgeDependencies {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Shared with the trackers of a worker; without it the forge has a budget of its own. */
  readonly governors?: Governors;
}

const FACTORIES = {
  github: async (options: ForgeOptions) => (await import('./github/adapter.ts')).createGithubForge(options),
  gitea: async (options: ForgeOptions) => (await import('./gitea/adapter.ts')).createGiteaForge(options),
} as const;

/** The forge that the configuration names; null when there is none, or nothing to sign in with. Only its adapter is loaded. */
export async function createForge(
  { kind, endpoint, repository, token }: ForgeConfig,
  { logger, clock = systemClock, governors }: ForgeDependencies,
): Promise<Forge | null> {
  if (kind === 'none' || endpoint === null || repository === null || token === null) return null;
  const governor = governors?.of(endpoint, token.reveal()) ?? createGovernor({ clock });
  return FACTORIES[kind]({ endpoint, repository, token, governor, logger, clock });
}
