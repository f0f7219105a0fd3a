import { describeQueue } from '../../../contract/queue.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import type { WorkerPort } from '../../../server/worker-port.ts';

/** Logs what the first poll found, and from then on why a worker without a run has none, whenever that changes. */
export function explainIdleness(
  orchestrator: Pick<Orchestrator, 'state' | 'survey' | 'surveying' | 'observe'>,
  source: Pick<WorkerPort, 'snapshot'>,
  logger: Logger,
): void {
  let told: string | null = null;
  let looked: readonly unknown[] = [];
  orchestrator.observe(() => {
    const { state, survey, surveying } = orchestrator;
    if (state.lastPoll?.ok !== true || state.draining || surveying) return;
    if (told !== null && (state.live.size > 0 || state.tick.phase !== 'idle')) return;
    const basis = [state.candidates, state.claims, survey, state.paused];
    if (basis.every((part, index) => part === looked[index])) return;
    looked = basis;
    const { queue } = source.snapshot();
    if (queue === undefined) return;
    const text = describeQueue(queue);
    if (text === told) return;
    told = text;
    logger.info('queue', { summary: text, seen: queue.seen, ready: queue.ready, running: queue.running });
    for (const { name, why } of queue.ignored) logger.debug('ignored', { name, why });
  });
}
