import type { Secret } from '../../config/resolve/secret.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Repository } from '../../domain/repository.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { Governor } from '../../http/budget/governor.ts';
import { createGiteaHttp } from '../../http/gitea.ts';
import type { Logger } from '../../observability/logger.ts';
import { createForgeReader } from '../forge/reading/reader.ts';
import type { StateLabel } from '../forge/states/label-states.ts';

import type { Tracker } from '../tracker.ts';
import { createGiteaActions } from './actions.ts';
import { createGiteaClient } from './client.ts';
import { DEFAULT_STATE_LABELS, giteaStates } from './states.ts';
import { createGiteaTools } from './tools.ts';

export interface GiteaTrackerOptions {
  /** Address of the server, without `/api/v1`. */
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  /** Default: the `aiops/*` table. */
  readonly stateLabels?: readonly StateLabel[];
  /** A login, or `me`; null means anybody. */
  readonly assignee?: string | null;
  /** Whose texts may reach an agent; null, the default, means everybody's. */
  readonly trust?: TrustRules | null;
  /** Pages of 50 per listing. Default 20. */
  readonly maxPages?: number;
  /** Whether an agent may move its issue into a terminal state. Default true. */
  readonly allowTerminal?: boolean;
  /** What an identifier starts with. Default `#`. */
  readonly identifierPrefix?: string;
  readonly secretEnvironmentNames?: readonly string[];
  readonly governor: Governor;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  /** Per request. */
  readonly timeoutMs?: number;
}

const DEFAULT_MAX_PAGES = 20;

/** The issues of one repository on Gitea or Forgejo as a tracker. See docs/trackers/gitea.md. */
export function createGiteaTracker(options: GiteaTrackerOptions): Tracker {
  const { repository, clock, logger } = options;
  const http = createGiteaHttp(options);
  const states = giteaStates({ ...options, labels: options.stateLabels ?? DEFAULT_STATE_LABELS });
  const reader = createForgeReader({
    repository,
    states,
    reads: createGiteaClient({ http, repository, maxPages: options.maxPages || DEFAULT_MAX_PAGES, clock }),
    identifierPrefix: options.identifierPrefix ?? '#',
    assignee: options.assignee ?? null,
    trust: options.trust ?? null,
    logger,
    clock,
  });
  return {
    kind: 'gitea',
    ...reader,
    tools: createGiteaTools({
      http,
      actions: createGiteaActions(http, repository),
      states,
      allowTerminal: options.allowTerminal ?? true,
      trust: options.trust ?? null,
      secretEnvironmentNames: options.secretEnvironmentNames ?? ['GITEA_TOKEN'],
      // A server behind a proxy is known to people by another address than to the worker.
      webOrigins: [],
    }),
    changes: null,
    budget: options.governor,
  };
}
