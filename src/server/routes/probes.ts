import type { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import type { WorkerPort } from '../worker-port.ts';

const PROBE_PATHS: readonly string[] = ['/livez', '/readyz'];

/** For supervisors: open to everyone, so they say nothing but yes or why not. */
export function addProbeRoutes(app: Hono<AppEnv>, worker: WorkerPort): void {
  app.get('/livez', (c) => c.text('ok\n', 200, { 'cache-control': 'no-store' }));
  app.get('/readyz', (c) => {
    const { ready, reason } = worker.readiness();
    return c.text(ready ? 'ok\n' : `${reason}\n`, ready ? 200 : 503, { 'cache-control': 'no-store' });
  });
  for (const path of PROBE_PATHS) app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
}
