import { createWorkerPort } from '../../../src/cli/worker/http/orchestrator-port.ts';
import type { WorkerPort } from '../../../src/server/worker-port.ts';
import type { SimulatedWorker } from '../../simulation/simulated-worker.ts';

/** The simulated worker, as its HTTP surface sees it. */
export function sourceOf(simulated: SimulatedWorker): WorkerPort {
  return createWorkerPort({
    orchestrator: simulated.orchestrator,
    clock: simulated.clock,
    version: '0.0.0-test',
    identity: {
      instance: 'test',
      version: 'test',
      pid: 1,
      started_at: new Date(0).toISOString(),
      workflow_path: '/WORKFLOW.md',
    },
    reloadError: () => null,
    readDiff: async () => ({
      base: null,
      head: null,
      files: [],
      untracked: [],
      commits: [],
      patch: '',
      truncated: false,
    }),
    redact: (text) => text.replaceAll('dummy-secret', '<redacted>'),
  });
}
