import { open } from 'node:fs/promises';
import type { Clock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { createFlushTimer } from '../flush-timer.ts';

/**
 * Brings committed writes from the kernel to the disk, beside the event loop. A commit survives the death of this
 * process by itself; this makes it survive a power cut too, about half a second later. To wait for the disk in the
 * commit would stop the whole worker whenever its agents keep the disk busy.
 */
export interface WalSync {
  /** Something was committed that must not be lost. */
  soon(): void;
  /** Resolves when a sync that is under way has ended; none is begun after that. */
  close(): Promise<void>;
}

const SYNC_MS = 500;

export function createWalSync(journalPath: string, clock: Clock, logger: Logger): WalSync {
  const timer = createFlushTimer(clock, () => {
    syncing = syncing.then(sync);
  });
  let syncing = Promise.resolve();

  /** The log has no locks of its own, so opening it once more disturbs nobody's. */
  async function sync(): Promise<void> {
    try {
      const log = await open(`${journalPath}-wal`, 'r');
      try {
        await log.datasync();
      } finally {
        await log.close();
      }
    } catch (error) {
      logger.debug('journal could not be synced', { error: messageOf(error) });
    }
  }

  return {
    soon: () => timer.within(SYNC_MS),
    async close() {
      timer.cancel();
      await syncing;
    },
  };
}
