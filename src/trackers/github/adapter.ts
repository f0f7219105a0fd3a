import type { Secret } from '../../config/resolve/secret.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Repository } from '../../domain/repository.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { Governor } from '../../http/budget/governor.ts';
import { createGithubHttp } from '../../http/github.ts';
import type { Logger } from '../../observability/logger.ts';
import { createForgeReader } from '../forge/reading/reader.ts';

import type { Tracker } from '../tracker.ts';
import { createGithubActions } from './actions.ts';
import { createGithubClient } from './client.ts';
import { githubStates } from './states.ts';
import { createGithubTools } from './tools.ts';

export interface GithubTrackerOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` of GitHub Enterprise Server. */
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  /** A login, or `me`; null means anybody. */
  readonly assignee?: string | null;
  /** Whose texts may reach an agent; null, the default, means everybody's. */
  readonly trust?: TrustRules | null;
  /** Pages of 100 per listing. Default 10. */
  readonly maxPages?: number;
  /** Whether open pull requests hold back the issues they would close. Default true. */
  readonly pullRequestClaims?: boolean;
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

const DEFAULT_MAX_PAGES = 10;

/** The issues of one repository on GitHub as a tracker. See docs/trackers/github.md. */
export function createGithubTracker(options: GithubTrackerOptions): Tracker {
  const { repository } = options;
  const http = createGithubHttp(options, options.endpoint);
  const graphql = createGithubHttp(options, options.endpoint.replace(/\/v3$/, ''));
  const states = githubStates(options);
  const reads = createGithubClient({
    http,
    graphql,
    repository,
    maxPages: options.maxPages || DEFAULT_MAX_PAGES,
    claims: options.pullRequestClaims ?? true,
  });
  const reader = createForgeReader({
    repository,
    states,
    reads,
    identifierPrefix: options.identifierPrefix ?? '#',
    assignee: options.assignee ?? null,
    trust: options.trust ?? null,
    logger: options.logger,
    clock: options.clock,
  });
  return {
    kind: 'github',
    ...reader,
    tools: createGithubTools({
      http,
      actions: createGithubActions(http, repository),
      states,
      allowTerminal: options.allowTerminal ?? true,
      trust: options.trust ?? null,
      secretEnvironmentNames: options.secretEnvironmentNames ?? ['GITHUB_TOKEN'],
      webOrigins: [webOrigin(options.endpoint)],
    }),
    changes: null,
    budget: options.governor,
  };
}

/** Where people see what the API serves. */
function webOrigin(endpoint: string): string {
  const { origin, hostname } = new URL(endpoint);
  return hostname === 'api.github.com' ? 'https://github.com' : origin;
}
