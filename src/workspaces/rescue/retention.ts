import type { RescueManifest } from './manifest.ts';

/** How long and how much rescued work is kept. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

const DAY_MS = 24 * 60 * 60_000;
export const DEFAULT_RETENTION: Retention = { maxAgeMs: 90 * DAY_MS, maxBytes: 10 * 1024 ** 3 };

/** A rescue and what it takes on disk. */
export interface SizedRescue {
  readonly manifest: RescueManifest;
  readonly bytes: number;
}

export interface RetentionPlan {
  readonly pruned: readonly SizedRescue[];
  /** Beyond a limit, and kept all the same: the last copies of commits. */
  readonly kept: readonly SizedRescue[];
}

export type IsLastCopy = (rescue: SizedRescue, newer: readonly SizedRescue[]) => Promise<boolean>;

/**
 * Which rescues go: those over age, then the oldest until the rest fits, and none that holds the last copy of a commit.
 * `rescues` are oldest first. However large, the newest is never dropped for size.
 */
export async function planRetention(
  rescues: readonly SizedRescue[],
  retention: Retention,
  now: number,
  isLastCopy: IsLastCopy,
): Promise<RetentionPlan> {
  const pruned: SizedRescue[] = [];
  const kept: SizedRescue[] = [];
  let total = rescues.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [index, rescue] of rescues.entries()) {
    const tooOld = now - Date.parse(rescue.manifest.createdAt) > retention.maxAgeMs;
    const tooMuch = total > retention.maxBytes && index < rescues.length - 1;
    if (!tooOld && !tooMuch) continue;
    if (await isLastCopy(rescue, rescues.slice(index + 1))) {
      kept.push(rescue);
      continue;
    }
    pruned.push(rescue);
    total -= rescue.bytes;
  }
  return { pruned, kept };
}
