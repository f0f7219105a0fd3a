import type * as z from 'zod';
import { actionLogSchema, actionResultSchema } from './actions.ts';
import {
  blockedRowSchema,
  operatorStopRowSchema,
  retryRowSchema,
  runningRowSchema,
  waitingRowSchema,
} from './claim-rows.ts';
import { endedRunSchema, recentEventSchema, sessionUsageSchema } from './ended-rows.ts';
import { errorEnvelopeSchema } from './error.ts';
import { historySchema } from './history.ts';
import { issueDetailSchema } from './issue-detail.ts';
import { refreshResultSchema } from './refresh.ts';
import {
  runDetailSchema,
  runDiffSchema,
  runListSchema,
  timelineEntrySchema,
  timelinePageSchema,
} from './runs.ts';
import { stateSnapshotSchema } from './state.ts';
import { streamMessageSchema } from './stream.ts';
import { issueCardSchema, trackerBoardSchema, trackerIssueSchema } from './tracker-issues.ts';
import { webhookAnswerSchema } from './webhooks.ts';
import { tokensSchema } from './wire.ts';
import { linkSchema, sessionSchema, workerIdentitySchema } from './worker.ts';

/** The names that the schemas of the API have in its OpenAPI document. */
export const OPENAPI_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  State: stateSnapshotSchema,
  Worker: workerIdentitySchema,
  Link: linkSchema,
  Session: sessionSchema,
  Issue: issueDetailSchema,
  RunningRow: runningRowSchema,
  BlockedRow: blockedRowSchema,
  RetryRow: retryRowSchema,
  WaitingRow: waitingRowSchema,
  OperatorStopRow: operatorStopRowSchema,
  EndedRun: endedRunSchema,
  SessionUsage: sessionUsageSchema,
  RecentEvent: recentEventSchema,
  Refresh: refreshResultSchema,
  RunList: runListSchema,
  Run: runDetailSchema,
  TimelineEntry: timelineEntrySchema,
  TimelinePage: timelinePageSchema,
  RunDiff: runDiffSchema,
  History: historySchema,
  ActionLog: actionLogSchema,
  ActionResult: actionResultSchema,
  StreamMessage: streamMessageSchema,
  TrackerBoard: trackerBoardSchema,
  IssueCard: issueCardSchema,
  TrackerIssue: trackerIssueSchema,
  WebhookAnswer: webhookAnswerSchema,
  Error: errorEnvelopeSchema,
  Tokens: tokensSchema,
};
