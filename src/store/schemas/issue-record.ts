import { z } from 'zod';
import type { Author, BlockerRef, Issue } from '../../domain/issue.ts';
import type { Outcome } from '../../domain/run-outcome.ts';
import type { IssueRecord, RunUnderWay } from '../../scheduler/core/state.ts';
import { anything, count, flag, numberOrNull, someUsage, textOrNull } from './scalars.ts';

const blocker: z.ZodType<BlockerRef> = z.looseObject({
  id: textOrNull,
  identifier: textOrNull,
  state: textOrNull,
});

const author: z.ZodType<Author> = z.looseObject({ names: z.array(z.string()), association: textOrNull });

const issue: z.ZodType<Issue> = z.looseObject({
  id: z.string(),
  identifier: z.string(),
  title: z.string().default(''),
  description: textOrNull,
  priority: numberOrNull,
  state: z.string(),
  branchName: textOrNull,
  url: textOrNull,
  assigneeId: textOrNull,
  author: author.nullable().default(null),
  labels: z.array(z.string()).default([]),
  blockedBy: z.array(blocker).default([]),
  dispatchable: z.boolean().default(true),
  undispatchableReason: textOrNull,
  createdAt: textOrNull,
  updatedAt: textOrNull,
  nativeRef: anything.nullable().default(null),
});

export const outcome: z.ZodType<Outcome> = z.looseObject({
  kind: z.enum([
    'delivered',
    'progressed',
    'no_progress',
    'failed',
    'timed_out',
    'stalled',
    'canceled',
    'blocked',
  ]),
  summary: z.string().default(''),
});

const claim = z.discriminatedUnion('phase', [
  z.looseObject({
    phase: z.literal('retrying'),
    issue,
    kind: z.enum(['continuation', 'failure', 'quota_backoff']),
    attempt: count,
    dueAt: count,
    delayMs: z.number().nullish(),
    error: textOrNull,
    answer: textOrNull,
  }),
  z.looseObject({
    phase: z.literal('blocked'),
    issue,
    method: z.string(),
    error: z.string().default(''),
    question: textOrNull,
    blockedAt: count,
    runId: textOrNull,
    commit: textOrNull,
  }),
]);

const operatorStop = z.looseObject({
  state: z.string(),
  stoppedAt: count,
  latched: flag,
  suppressed: count,
  firstSuppressed: z
    .looseObject({ at: count, state: z.string(), reason: z.string() })
    .nullable()
    .default(null),
});

const lifetime = z.looseObject({ runs: count, usage: someUsage, runtimeMs: count });

const today = z.looseObject({
  day: count,
  spend: z.looseObject({ turns: count, tokens: count, usd: count, runtimeMs: count }),
});

const underWay: z.ZodType<RunUnderWay> = z.looseObject({
  runId: z.string(),
  title: z.string().default(''),
  url: textOrNull,
  attempt: numberOrNull,
  startedAt: count,
  seenAt: count,
  pausedMs: count,
  stateBefore: z.string().default(''),
  turns: count,
  usage: someUsage,
  costUsd: numberOrNull,
  sessionId: textOrNull,
  model: textOrNull,
  runner: z.string().default(''),
  profile: textOrNull,
  workspacePath: textOrNull,
  handOver: z.looseObject({ state: z.string(), byTool: flag }).nullable().default(null),
});

export const issueRecordSchema: z.ZodType<IssueRecord> = z.looseObject({
  issueId: z.string(),
  identifier: z.string(),
  runs: count,
  turns: count,
  usage: someUsage,
  runtimeMs: count,
  costUsd: count,
  noProgressRuns: count,
  quotaWaits: count,
  lifetime: lifetime.prefault({}),
  today: today.nullable().default(null),
  lastOutcome: outcome.nullable().default(null),
  session: z
    .looseObject({ runner: z.string(), profile: textOrNull, sessionId: z.string() })
    .nullable()
    .default(null),
  operatorStop: operatorStop.nullable().default(null),
  followUps: z.looseObject({ count, names: z.array(z.string()).default([]) }).optional(),
  leftActive: flag,
  underWay: underWay.nullish(),
  claim: claim.nullable().default(null),
  savedAt: z.number().optional(),
});
