import type { Logger } from '../../observability/logger.ts';
import type { Layout } from '../files/layout.ts';
import type { Git } from '../git/git.ts';
import { lastCopyCheck } from './last-copy.ts';
import { dropRescue } from './manage-rescues.ts';
import type { RescueManifest } from './manifest.ts';
import { measureRescues } from './measure.ts';
import { dropCommand } from './over-limit.ts';
import { readRescues, setOverLimit } from './rescue-files.ts';
import { planRetention, type Retention } from './retention.ts';

interface RetentionDependencies {
  readonly git: Git;
  readonly retention: Retention;
  readonly logger: Logger;
}

/** Drops what is beyond the limits and is no last copy, and marks what is kept beyond them. Call it with the rescues' lock held. */
export async function applyRetention(
  { git, retention, logger }: RetentionDependencies,
  layout: Layout,
): Promise<void> {
  const rescues = await measureRescues(layout, await readRescues(layout));
  const isLastCopy = lastCopyCheck(git, layout);
  const { pruned, kept } = await planRetention(rescues, retention, Date.now(), isLastCopy);
  for (const { manifest, bytes } of pruned) {
    await dropRescue(git, layout, manifest);
    logger.info('dropped rescued work that is beyond the retention limits', {
      issue_id: manifest.issueId,
      issue_identifier: manifest.identifier,
      rescue: manifest.id,
      bytes,
    });
  }
  const isKept = new Set(kept.map(({ manifest }) => manifest.id));
  const left = rescues.filter((rescue) => !pruned.includes(rescue));
  for (const { manifest, bytes } of left) {
    if (manifest.overLimit === isKept.has(manifest.id)) continue;
    await setOverLimit(layout, manifest, isKept.has(manifest.id));
    if (isKept.has(manifest.id)) tellKept(logger, manifest, bytes);
  }
}

function tellKept(logger: Logger, manifest: RescueManifest, bytes: number): void {
  logger.warn('rescued work beyond the retention limits is kept: it holds the last copy of a commit', {
    issue_id: manifest.issueId,
    issue_identifier: manifest.identifier,
    rescue: manifest.id,
    bytes,
    to_restore: `aiops rescue restore ${manifest.id}`,
    to_drop: dropCommand(manifest),
  });
}
