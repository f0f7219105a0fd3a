import * as z from 'zod';
import { runningRowSchema } from './claim-rows.ts';
import { endedRunSchema } from './ended-rows.ts';
import { countSchema, timestampSchema } from './wire.ts';

/** One thing a run reported. */
export const timelineEntrySchema = z.object({
  /** Counts the run's events from 1; a gap means events that were not kept. */
  seq: countSchema,
  at: timestampSchema,
  /** `phase`, `workspace`, `push_failed`, or the kind of an agent's event: `activity`, `turn_started`, `usage`, … */
  kind: z.string().min(1),
  /** The event in words. */
  message: z.string(),
  /** Its facts, under the names this API uses. */
  detail: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** `GET /api/v1/runs/<id>/events?after=&limit=`: oldest first. */
export const timelinePageSchema = z.object({
  run_id: z.string(),
  events: z.array(timelineEntrySchema),
  /** The `after` of the next page; null at the end of what there is now. */
  next: countSchema.nullable(),
  /** True while the run goes on, so that more may come. */
  live: z.boolean(),
  /** Kept lines that could not be understood. */
  unreadable: countSchema,
});
export type TimelinePage = z.infer<typeof timelinePageSchema>;

/** `GET /api/v1/runs?limit=&before=&issue=&outcome=`: finished runs, newest first. */
export const runListSchema = z.object({
  runs: z.array(endedRunSchema),
  /** The `before` of the next page; null when there is none. */
  next: z.string().nullable(),
});
export type RunList = z.infer<typeof runListSchema>;

/** `GET /api/v1/runs/<id>`; the beginning of an id will do when only one run begins so. */
export const runDetailSchema = z.object({
  run_id: z.string(),
  issue_identifier: z.string().nullable(),
  /** `lost`: the run ended together with its worker, and only its timeline is left. */
  status: z.enum(['live', 'ended', 'lost']),
  running: runningRowSchema.nullable(),
  ended: endedRunSchema.nullable(),
  /** Facts of a finished run beyond its row. */
  facts: z
    .object({
      attempt: countSchema.nullable(),
      started_at: timestampSchema,
      state_before: z.string(),
      handed_off: z.boolean(),
      end: z.string(),
      session_id: z.string().nullable(),
      model: z.string().nullable(),
      workspace_path: z.string().nullable(),
      head_commit: z.string().nullable(),
      files_changed: countSchema.nullable(),
      uncommitted_files: countSchema.nullable(),
    })
    .nullable(),
  /** What is kept of its timeline; null when nothing is. */
  timeline: z.object({ reported: countSchema, dropped: countSchema, bytes: countSchema }).nullable(),
});
export type RunDetail = z.infer<typeof runDetailSchema>;

/** `GET /api/v1/runs/<id>/diff`: what the workspace holds now against the base branch, committed or not. */
export const runDiffSchema = z.object({
  run_id: z.string(),
  /** The commit the work started from; null when there is no repository. */
  base: z.string().nullable(),
  head: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      /** Lines; null for a binary file. */
      added: countSchema.nullable(),
      removed: countSchema.nullable(),
    }),
  ),
  /** Files that exist but were never added to git; they are not in the patch. */
  untracked: z.array(z.string()),
  /** Of the branch since the base, newest first; at most 100. A worker that does not tell is an older one. */
  commits: z
    .array(z.object({ sha: z.string(), subject: z.string(), author: z.string(), at: timestampSchema }))
    .default([]),
  /** Unified diff. */
  patch: z.string(),
  /** True when the patch or a list was cut. */
  truncated: z.boolean(),
});
export type RunDiff = z.infer<typeof runDiffSchema>;
