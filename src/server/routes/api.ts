import type { Hono } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import type { IssueDetail } from '../../contract/issue-detail.ts';
import { ACTION_HEADER, type RefreshResult } from '../../contract/refresh.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { requireSameOrigin } from '../access/access.ts';
import { type AppContext, type AppEnv, rawPath } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import { decodeSegment } from '../query.ts';
import { readBody } from '../read-body.ts';
import type { EventHub } from '../stream/event-hub.ts';
import type { WorkerPort } from '../worker-port.ts';
import { addActionRoutes } from './actions.ts';
import { addEventRoutes } from './events.ts';
import { addMetaRoutes } from './meta.ts';
import { addRunRoutes } from './runs.ts';
import { addTrackerIssueRoutes } from './tracker-issues.ts';

const MAX_REFRESH_BODY_BYTES = 1024 * 1024;
/** Identifiers are short; a longer one is shown in part. */
const MAX_IDENTIFIER_LENGTH = 120;

export interface ApiDependencies {
  readonly worker: WorkerPort;
  readonly hub: EventHub;
  readonly logger: Logger;
  now(): number;
}

export function addApiRoutes(app: Hono<AppEnv>, dependencies: ApiDependencies): void {
  const { worker } = dependencies;

  app.get(API_ROUTES.state.path, (c) =>
    c.body(worker.snapshotBody(), API_ROUTES.state.status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    }),
  );
  app.all(API_ROUTES.state.path, (c) => methodNotAllowed(c, 'GET, HEAD'));

  app.get(API_ROUTES.worker.path, (c) => json(c, { ...worker.identity(), may_act: c.get('mayAct') }));
  app.all(API_ROUTES.worker.path, (c) => methodNotAllowed(c, 'GET, HEAD'));

  app.post(API_ROUTES.refresh.path, (c) => refresh(c, dependencies));
  app.all(API_ROUTES.refresh.path, (c) => methodNotAllowed(c, 'POST'));

  addRunRoutes(app, worker);
  addActionRoutes(app, worker, dependencies.logger);
  addTrackerIssueRoutes(app, worker, dependencies.logger);
  addEventRoutes(app, dependencies.hub);
  addMetaRoutes(app, dependencies);

  // Wildcards, so that encoded slashes and percent signs reach us undecoded.
  for (const route of [API_ROUTES.issue, API_ROUTES.issueShort]) {
    const prefix = route.path.replace('{issue}', '');
    app.get(`${prefix}*`, (c) => {
      const segment = rawPath(c).slice(prefix.length);
      return json(c, findIssue(worker, segment));
    });
    app.all(`${prefix}*`, (c) => methodNotAllowed(c, 'GET, HEAD'));
  }
}

function findIssue(worker: WorkerPort, segment: string): IssueDetail {
  const wanted = decodeSegment(segment);
  const detail = wanted === '' ? null : worker.issue(wanted);
  if (detail !== null) return detail;
  const shown = wanted.length > MAX_IDENTIFIER_LENGTH ? `${wanted.slice(0, MAX_IDENTIFIER_LENGTH)}…` : wanted;
  throw new AppError('issue_not_found', `the worker has not seen an issue "${shown}"`, {
    hint: `${API_ROUTES.state.path} lists the issues it knows; write "/" in a name as %2F.`,
  });
}

/** Body first, then the header: the order existing clients know. */
async function refresh(c: AppContext, { worker, logger, now }: ApiDependencies): Promise<Response> {
  requireSameOrigin(c);
  await requireEmptyBody(c);
  if (c.req.header(ACTION_HEADER)?.trim().toLowerCase() !== 'true') {
    throw new AppError('refresh_header_required', 'a refresh needs the header X-AIOPS-Refresh', {
      hint: 'Send "X-AIOPS-Refresh: true".',
    });
  }
  const { coalesced } = worker.requestRefresh();
  logger.info('refresh requested', { coalesced });
  const result: RefreshResult = {
    queued: true,
    coalesced,
    requested_at: new Date(now()).toISOString(),
    operations: ['poll', 'reconcile'],
  };
  return json(c, result, API_ROUTES.refresh.status);
}

async function requireEmptyBody(c: AppContext): Promise<void> {
  const text = await readBody(c.req.raw, MAX_REFRESH_BODY_BYTES);
  if (text === null) {
    throw new AppError('refresh_body_too_large', 'the refresh body is larger than 1 MiB', {
      hint: 'Send no body, or {}.',
    });
  }
  if (!isEmptyBody(text)) {
    throw new AppError('invalid_refresh_body', 'the refresh body must be empty or {}', {
      hint: 'Send no body, or {}.',
    });
  }
}

function isEmptyBody(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}
