import type { WorkerPort } from './worker-port.ts';

export const PROBE_PATHS: readonly string[] = ['/livez', '/readyz'];

export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly text: string;
}

export const PROBE_HEADERS = { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store' };

/** For supervisors: open to everyone, so it says nothing but yes or why not. Null for any other path. */
export function answerProbe(path: string, worker: Pick<WorkerPort, 'readiness'>): ProbeAnswer | null {
  if (!PROBE_PATHS.includes(path)) return null;
  if (path === '/livez') return { status: 200, text: 'ok\n' };
  const { ready, reason } = worker.readiness();
  return ready ? { status: 200, text: 'ok\n' } : { status: 503, text: `${reason}\n` };
}
