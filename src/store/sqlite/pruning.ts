import type { Clock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Tables } from '../memory/journal-backup.ts';
import type { DiskLink } from './disk-link.ts';
import { pruneLimits, pruneTranscripts, type Retention } from './retention.ts';

const DAY_MS = 86_400_000;

export interface PruningOptions {
  readonly link: DiskLink<Tables>;
  /** Of the timelines. */
  readonly folder: string;
  readonly retention: () => Retention;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Removes what is older than the retention allows, now and then daily; the returned function ends it. */
export function pruneDaily(options: PruningOptions): () => void {
  let cancel = (): void => {};
  const pruneAndWait = (): void => {
    cancel = options.clock.setTimer(DAY_MS, pruneAndWait);
    prune(options);
  };
  pruneAndWait();
  return () => cancel();
}

function prune({ link, folder, retention, clock, logger }: PruningOptions): void {
  const now = clock.now();
  const limits = pruneLimits(retention(), now);
  const runs = link.attempt(({ writer }) => ({ gone: writer.prune(limits), kept: writer.endedRunIds() }));
  if (runs === undefined) return;
  pruneTranscripts({ folder, ...runs, before: limits.before, now }).then(
    (files) => {
      if (runs.gone.length + files > 0) logger.info('old runs removed', { runs: runs.gone.length, files });
    },
    (error: unknown) => logger.warn('old run timelines could not be removed', { error: messageOf(error) }),
  );
}
