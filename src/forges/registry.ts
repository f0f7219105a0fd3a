import type { ForgeConfig } from '../config/config.ts';
import type { ForgeSettings } from '../config/kinds.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { createGovernor } from '../http/budget/governor.ts';
import type { Governors } from '../http/budget/governors.ts';
import type { Logger } from '../observability/logger.ts';
import type { ForgeOptions } from './connection.ts';
import type { Forge } from './forge.ts';
import { giteaForge } from './gitea/settings.ts';
import { githubForge } from './github/settings.ts';

export interface ForgeDependencies {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Shared with the trackers of a worker; without it the forge has a budget of its own. */
  readonly governors?: Governors;
}

/** A kind of forge: what is known without loading it, and its code, which is loaded only when it is needed. */
interface ForgeKind {
  readonly settings: ForgeSettings;
  create(options: ForgeOptions): Promise<Forge>;
  /** Asks a server without signing in whether it is of this kind; absent where only the name of the host tells. */
  recognise?(origin: string): Promise<boolean>;
}

const FORGES: readonly ForgeKind[] = [
  {
    settings: githubForge,
    create: async (options) => (await import('./github/adapter.ts')).createGithubForge(options),
  },
  {
    settings: giteaForge,
    create: async (options) => (await import('./gitea/adapter.ts')).createGiteaForge(options),
    recognise: async (origin) => (await import('./gitea/recognise.ts')).isGitea(origin),
  },
];

export const FORGE_SETTINGS: readonly ForgeSettings[] = FORGES.map(({ settings }) => settings);

/** The forge of a host: the service of that name, or one that says of itself what it is. Null when it is none. */
export async function findForge(host: string, origin: string): Promise<ForgeSettings | null> {
  const known = FORGE_SETTINGS.find(({ service }) => service?.hosts.includes(host) === true);
  if (known !== undefined) return known;
  for (const { settings, recognise } of FORGES) if (await recognise?.(origin)) return settings;
  return null;
}

/** The forge that the configuration names; null when there is none, or nothing to sign in with. Only its adapter is loaded. */
export async function createForge(
  { kind, endpoint, repository, token }: ForgeConfig,
  { logger, clock = systemClock, governors }: ForgeDependencies,
): Promise<Forge | null> {
  const forge = FORGES.find(({ settings }) => settings.kind === kind);
  if (forge === undefined || endpoint === null || repository === null || token === null) return null;
  const governor = governors?.of(endpoint, token.reveal()) ?? createGovernor({ clock });
  return forge.create({ endpoint, repository, token, governor, logger, clock });
}
