import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';

/** A change in the tracker asks for a poll at once. Without change notices the poll interval does it alone. */
export async function watchTracker(orchestrator: Orchestrator, logger: Logger): Promise<() => Promise<void>> {
  const changes = orchestrator.workflow.tracker?.changes ?? null;
  if (changes === null) return async () => {};
  try {
    return await changes.watch(() => void orchestrator.requestPoll());
  } catch (error) {
    logger.warn('changes in the tracker cannot be watched, polling only', { error: messageOf(error) });
    return async () => {};
  }
}
