import type { TrackerConfig } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import { AppError } from '../errors/app-error.ts';
import type { Governors } from '../http/budget/governors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Tracker } from './tracker.ts';

export interface TrackerDependencies {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Shared by all trackers of a worker; without it each tracker has a budget of its own. */
  readonly governors?: Governors;
  /** What agents may change through `linear_graphql`; nothing when absent. */
  readonly linearGraphql?: { readonly allowMutations: boolean; readonly allowedMutations: readonly string[] };
}

type Factory = (config: TrackerConfig, dependencies: TrackerDependencies) => Promise<Tracker>;

const FACTORIES: Readonly<Record<string, Factory>> = {
  local: async (config, dependencies) =>
    (await import('./local/from-config.ts')).createLocalFromConfig(config, dependencies),
  linear: async (config, dependencies) =>
    (await import('./linear/from-config.ts')).createLinearFromConfig(config, dependencies),
  github: async (config, dependencies) =>
    (await import('./github/from-config.ts')).createGithubFromConfig(config, dependencies),
  gitea: async (config, dependencies) =>
    (await import('./gitea/from-config.ts')).createGiteaFromConfig(config, dependencies),
};

/** Builds the tracker that `tracker.kind` names; only its adapter is loaded. */
export async function createTracker(
  config: TrackerConfig,
  dependencies: TrackerDependencies,
): Promise<Tracker> {
  const factory = Object.hasOwn(FACTORIES, config.kind) ? FACTORIES[config.kind] : undefined;
  if (factory !== undefined) return factory(config, dependencies);
  const supported = Object.keys(FACTORIES).join(', ');
  const kind = JSON.stringify(config.kind);
  throw new AppError(
    'unsupported_tracker_kind',
    `tracker.kind ${kind} is not supported. Supported: ${supported}.`,
    { hint: `Set tracker.kind to one of: ${supported}.`, context: { kind: config.kind } },
  );
}
