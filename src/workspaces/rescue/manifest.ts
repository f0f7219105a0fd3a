import { z } from 'zod';

const partSchema = z.object({
  /** Where in the workspace the repository is; empty for the workspace itself. */
  path: z.string(),
  /** False for a plain directory, whose files were saved as if uncommitted. */
  repository: z.boolean(),
  /** File name of the bundle in the rescue's directory. */
  bundle: z.string(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  /** Commits of the staged and of the whole uncommitted state; null when there was none. */
  index: z.string().nullable(),
  worktree: z.string().nullable(),
  refs: z.array(z.object({ name: z.string(), commit: z.string() })),
  unpushedCommits: z.number().int(),
  uncommittedFiles: z.number().int(),
  /** Where the commits the bundle builds on come from, without credentials; null when it stands alone. */
  remote: z.string().nullable(),
  /** Name of a repository in the rescue that holds those commits; null when they must come from mirror or remote. */
  history: z.string().nullable(),
  /** The mirror that also holds the commits, under `refs/aiops/rescue/<id>/`. */
  mirror: z.string().nullable(),
});

export const manifestSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  createdAt: z.string(),
  /** Why it was saved: `removed`, `rebuilt`, … */
  reason: z.string(),
  workspace: z.string(),
  key: z.string(),
  issueId: z.string(),
  identifier: z.string(),
  trackerKind: z.string(),
  trackerScope: z.string(),
  parts: z.array(partSchema),
  /** Name of a directory in the rescue that is the whole workspace as it was; null when the bundles hold the work. */
  directory: z.string().nullable(),
  /** The mirror of the workspace's repository; null without one, and in manifests older than this field. */
  mirror: z.string().nullable().default(null),
  /** Beyond the limits, and kept because it holds the last copy of a commit: a person decides. */
  overLimit: z.boolean().default(false),
  /** Same content, same fingerprint: saving twice keeps one. */
  fingerprint: z.string(),
  bytes: z.number().int(),
});

export type RescuePart = z.infer<typeof partSchema>;
/** What a rescue holds and where it came from. */
export type RescueManifest = z.infer<typeof manifestSchema>;
