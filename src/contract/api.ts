import type * as z from 'zod';
import { actionLogSchema, actionResultSchema } from './actions.ts';
import { historySchema } from './history.ts';
import { issueDetailSchema } from './issue-detail.ts';
import { refreshResultSchema } from './refresh.ts';
import { runDetailSchema, runDiffSchema, runListSchema, timelinePageSchema } from './runs.ts';
import { stateSnapshotSchema } from './state.ts';
import { trackerBoardSchema, trackerIssueSchema } from './tracker-issues.ts';
import { webhookAnswerSchema } from './webhooks.ts';
import { linkSchema, sessionSchema, workerIdentitySchema } from './worker.ts';

/** The JSON routes, for the server and the client alike. `{issue}` is an id or an identifier, percent-encoded. */
export const API_ROUTES = {
  state: { method: 'GET', path: '/api/v1/state', status: 200, result: stateSnapshotSchema },
  worker: { method: 'GET', path: '/api/v1/worker', status: 200, result: workerIdentitySchema },
  link: { method: 'POST', path: '/api/v1/link', status: 200, result: linkSchema },
  session: { method: 'POST', path: '/api/v1/session', status: 200, result: sessionSchema },
  refresh: { method: 'POST', path: '/api/v1/refresh', status: 202, result: refreshResultSchema },
  issue: { method: 'GET', path: '/api/v1/issues/{issue}', status: 200, result: issueDetailSchema },
  /** The SPEC's address. It cannot reach an issue whose name is a reserved word; the one above can. */
  issueShort: { method: 'GET', path: '/api/v1/{issue}', status: 200, result: issueDetailSchema },
  runs: { method: 'GET', path: '/api/v1/runs', status: 200, result: runListSchema },
  run: { method: 'GET', path: '/api/v1/runs/{run}', status: 200, result: runDetailSchema },
  runEvents: { method: 'GET', path: '/api/v1/runs/{run}/events', status: 200, result: timelinePageSchema },
  runDiff: { method: 'GET', path: '/api/v1/runs/{run}/diff', status: 200, result: runDiffSchema },
  history: { method: 'GET', path: '/api/v1/history', status: 200, result: historySchema },
  actions: { method: 'GET', path: '/api/v1/actions', status: 200, result: actionLogSchema },
  /** What people write, where the tracker lets them through the worker. */
  trackerBoard: { method: 'GET', path: '/api/v1/tracker/issues', status: 200, result: trackerBoardSchema },
  createIssue: { method: 'POST', path: '/api/v1/tracker/issues', status: 201, result: trackerIssueSchema },
  trackerIssue: {
    method: 'GET',
    path: '/api/v1/tracker/issues/{issue}',
    status: 200,
    result: trackerIssueSchema,
  },
  changeIssue: {
    method: 'POST',
    path: '/api/v1/tracker/issues/{issue}',
    status: 200,
    result: trackerIssueSchema,
  },
  moveIssue: {
    method: 'POST',
    path: '/api/v1/tracker/issues/{issue}/move',
    status: 200,
    result: trackerIssueSchema,
  },
  /** For the tracker of kind `{kind}`; its signature is all it needs. */
  webhook: { method: 'POST', path: '/api/v1/webhooks/{kind}', status: 200, result: webhookAnswerSchema },
  act: { method: 'POST', path: '/api/v1/actions/{action}', status: 200, result: actionResultSchema },
} as const;

/** The stream of `StreamMessage`s; not JSON but server-sent events. */
export const EVENTS_PATH = '/api/v1/events';
export const OPENAPI_PATH = '/api/v1/openapi.json';

export type ApiRouteName = keyof typeof API_ROUTES;
export type ApiResult<Name extends ApiRouteName> = z.infer<(typeof API_ROUTES)[Name]['result']>;

/** First segments under `/api/v1/` that are routes, now or later, and so never the name of an issue. */
export const RESERVED_SEGMENTS: readonly string[] = [
  'state',
  'worker',
  'link',
  'session',
  'refresh',
  'issues',
  'events',
  'runs',
  'history',
  'actions',
  'tracker',
  'webhooks',
  'openapi.json',
];

/** The address of an issue: the SPEC's short one where it is unambiguous. */
export function issuePath(idOrIdentifier: string): string {
  const reserved = RESERVED_SEGMENTS.includes(idOrIdentifier.toLowerCase());
  const route = reserved ? API_ROUTES.issue : API_ROUTES.issueShort;
  return route.path.replace('{issue}', () => encodeURIComponent(idOrIdentifier));
}
