import type { RepoConfig } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import { createCheckouts } from './checkout/checkout.ts';
import { createPreparation } from './checkout/prepare.ts';
import { DEFAULT_MIN_FREE_BYTES } from './files/disk-space.ts';
import { gitCredentialOf } from './git/credential.ts';
import { createGit } from './git/git.ts';
import { createSettledConfigs } from './git/settled-configs.ts';
import { createInspection } from './inspect.ts';
import { createLocks } from './locks/locks.ts';
import { createMirrors } from './mirror/mirrors.ts';
import { ownCreator } from './ownership/creating-process.ts';
import { createKnownFacts } from './ownership/known-facts.ts';
import type { WorkspaceScope } from './ownership/ownership-record.ts';
import { PUSH_LIMITS, type PushLimits } from './push/limits.ts';
import { createPushing } from './push/push-branch.ts';
import { createRelays } from './relay/relays.ts';
import { createRemoval } from './removal/removal.ts';
import { DEFAULT_RETENTION, type Retention } from './rescue/retention.ts';
import type { Workspaces } from './workspaces.ts';

export interface WorkspacesOptions {
  /** Absolute; created when missing. */
  readonly root: string;
  /** Absolute; created when missing. */
  readonly mirrorRoot: string;
  /** Whose workspaces these are; those of another scope under the same root are never touched. */
  readonly scope: WorkspaceScope;
  /** Whether the tracker gives the same id to unrelated issues, as folders do; false unless it is said. */
  readonly reusesIds?: boolean;
  /** The repository the workspaces are of, with the credential for its host; null when hooks fill them. */
  readonly repo: RepoConfig | null;
  /** The worker's own; git sees what it needs of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Refuse to clone when less than this is free. Default 500 MiB; 0 turns the guard off. */
  readonly minFreeBytes?: number;
  /** Check out submodules too. Default true. */
  readonly submodules?: boolean;
  /** How long and how much rescued work is kept. Default 90 days and 10 GiB. */
  readonly rescueRetention?: Retention;
  /** Commits of history to fetch; 0, the default, fetches all. */
  readonly cloneDepth?: number;
  /** A partial-clone filter such as `blob:none`; null, the default, fetches everything. */
  readonly partialClone?: string | null;
  /** What one push may bring. */
  readonly pushLimits?: PushLimits;
  /** Who counts as the creator of workspaces; this process unless it is said. */
  readonly creator?: string;
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { root, mirrorRoot, scope, repo, environment, logger } = options;
  const git = createGit(environment, gitCredentialOf(repo));
  const locks = createLocks();
  const filter = options.partialClone ?? null;
  const minFreeBytes = options.minFreeBytes ?? DEFAULT_MIN_FREE_BYTES;
  const mirrors = createMirrors(
    { root: mirrorRoot, depth: options.cloneDepth ?? 0, filter, minFreeBytes },
    { git, locks, logger },
  );
  const lfsPointers = (environment['GIT_LFS_SKIP_SMUDGE'] ?? '') === '1';
  const checkouts = createCheckouts(git, { filter, submodules: options.submodules ?? true, lfsPointers });
  const retention = options.rescueRetention ?? DEFAULT_RETENTION;
  const context = {
    ...{ root, scope, repo, git, locks, mirrors, logger, checkouts, filter },
    creator: async () => options.creator ?? ownCreator(),
    ...{ settledConfigs: createSettledConfigs(), facts: createKnownFacts(), minFreeBytes, retention },
    ...{ reusesIds: options.reusesIds ?? false, pushLimits: options.pushLimits ?? PUSH_LIMITS },
  };
  return {
    ...createPreparation(context),
    ...createInspection(context),
    ...createRemoval(context),
    ...createPushing(context),
    ...createRelays(context),
  };
}
