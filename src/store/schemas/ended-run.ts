import { z } from 'zod';
import type { RunEnd, RunEvidence, RunResult, StopReason } from '../../domain/run-outcome.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { OperatorAction, StoredEvent } from '../journal.ts';
import { outcome } from './issue-record.ts';
import { count, flag, flagOrNull, numberOrNull, someUsage, textOrNull } from './scalars.ts';

const text = z.string().default('');

const budgetScope = z.enum(['run', 'issue', 'day', 'worker']).default('issue');

const stopReason: z.ZodType<StopReason> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('terminal'), state: text }),
  z.looseObject({ kind: z.literal('inactive'), state: text }),
  z.looseObject({ kind: z.literal('unroutable'), detail: text }),
  z.looseObject({ kind: z.literal('missing') }),
  z.looseObject({ kind: z.literal('stalled'), silentMs: count }),
  z.looseObject({ kind: z.literal('budget'), scope: budgetScope, detail: text }),
  z.looseObject({ kind: z.literal('operator'), by: text }),
  z.looseObject({ kind: z.literal('shutdown') }),
]);

const runEnd: z.ZodType<RunEnd> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('completed') }),
  z.looseObject({ kind: z.literal('stopped'), reason: stopReason }),
  z.looseObject({ kind: z.literal('input_required'), method: text, question: text }),
  z.looseObject({ kind: z.literal('quota'), message: text, resetAt: numberOrNull }),
  z.looseObject({ kind: z.literal('timed_out'), message: text }),
  z.looseObject({ kind: z.literal('failed'), code: text, message: text }),
]);

const evidence: z.ZodType<RunEvidence> = z.looseObject({
  branch: textOrNull,
  headCommit: textOrNull,
  commitsAhead: numberOrNull,
  newCommits: numberOrNull,
  pushed: flagOrNull,
  filesChanged: numberOrNull,
  uncommittedFiles: numberOrNull,
  pullRequestUrl: textOrNull,
});

const runResult: z.ZodType<RunResult> = z.looseObject({ end: runEnd, turns: count, evidence });

export const endedRunSchema: z.ZodType<EndedRun> = z.looseObject({
  runId: z.string(),
  issueId: z.string(),
  identifier: z.string(),
  title: text,
  url: textOrNull,
  attempt: numberOrNull,
  startedAt: count,
  pausedMs: z.number().nullish(),
  endedAt: count,
  stateBefore: text,
  stateAfter: text,
  outcome,
  result: runResult,
  handedOff: flag,
  usage: someUsage,
  costUsd: numberOrNull,
  sessionId: textOrNull,
  model: textOrNull,
  runner: textOrNull,
  profile: textOrNull,
  workspacePath: textOrNull,
});

export const storedEventSchema: z.ZodType<StoredEvent> = z.looseObject({
  at: z.number(),
  kind: z.string(),
  issueId: textOrNull,
  identifier: textOrNull,
  runId: textOrNull,
  sessionId: textOrNull,
  message: text,
});

export const operatorActionSchema: z.ZodType<OperatorAction> = z.looseObject({
  id: z.string(),
  at: z.number(),
  by: text,
  action: z.string(),
  issueId: textOrNull,
  detail: textOrNull,
});
