import { createGithubHttp } from '../../http/github.ts';
import { createForgeTracker, type ForgeTrackerOptions } from '../forge/adapter.ts';
import type { Tracker } from '../tracker.ts';
import { createGithubActions } from './actions.ts';
import { createGithubClient } from './client.ts';
import { githubStates } from './states.ts';
import { githubApi } from './tools.ts';

/**
 * `endpoint` is `https://api.github.com`, or `https://HOST/api/v3` of GitHub Enterprise Server; a page of a listing has
 * 100 issues.
 */
export interface GithubTrackerOptions extends ForgeTrackerOptions {
  /** Whether open pull requests hold back the issues they would close. Default true. */
  readonly pullRequestClaims?: boolean;
}

const DEFAULT_MAX_PAGES = 10;

/** The issues of one repository on GitHub as a tracker. See docs/trackers/github.md. */
export function createGithubTracker(options: GithubTrackerOptions): Tracker {
  const { repository, endpoint } = options;
  const http = createGithubHttp(options, endpoint);
  const graphql = createGithubHttp(options, endpoint.replace(/\/v3$/, ''));
  const states = githubStates(options);
  return createForgeTracker(options, {
    kind: 'github',
    http,
    states,
    reads: createGithubClient({
      http,
      graphql,
      repository,
      maxPages: options.maxPages || DEFAULT_MAX_PAGES,
      claims: options.pullRequestClaims ?? true,
    }),
    actions: createGithubActions(http, repository),
    webOrigins: [webOrigin(endpoint)],
    secretVariable: 'GITHUB_TOKEN',
    api: githubApi(states, options.trust?.labels),
  });
}

/** Where people see what the API serves. */
function webOrigin(endpoint: string): string {
  const { origin, hostname } = new URL(endpoint);
  return hostname === 'api.github.com' ? 'https://github.com' : origin;
}
