import { createGiteaHttp } from '../../http/gitea.ts';
import { createForgeTracker, type ForgeTrackerOptions } from '../forge/adapter.ts';
import type { StateLabel } from '../forge/states/label-states.ts';
import type { Tracker } from '../tracker.ts';
import { createGiteaActions } from './actions.ts';
import { createGiteaClient } from './client.ts';
import { DEFAULT_STATE_LABELS, giteaStates } from './states.ts';
import { GITEA_API, labelsTool } from './tools.ts';

/** `endpoint` is the address of the server, with or without `/api/v1`; a page of a listing has 50 issues. */
export interface GiteaTrackerOptions extends ForgeTrackerOptions {
  /** Default: the `aiops/*` table. */
  readonly stateLabels?: readonly StateLabel[];
}

const DEFAULT_MAX_PAGES = 20;

/** The issues of one repository on Gitea or Forgejo as a tracker. See docs/trackers/gitea.md. */
export function createGiteaTracker(options: GiteaTrackerOptions): Tracker {
  const { repository, clock } = options;
  const http = createGiteaHttp(options);
  const states = giteaStates({ ...options, labels: options.stateLabels ?? DEFAULT_STATE_LABELS });
  const actions = createGiteaActions(http, repository);
  return createForgeTracker(options, {
    kind: 'gitea',
    http,
    states,
    reads: createGiteaClient({ http, repository, maxPages: options.maxPages || DEFAULT_MAX_PAGES, clock }),
    actions,
    // A server behind a proxy is known to people by another address than to the worker.
    webOrigins: [],
    secretVariable: 'GITEA_TOKEN',
    api: GITEA_API,
    moreTools: (rule) => [labelsTool({ actions, states }, rule)],
  });
}
