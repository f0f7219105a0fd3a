import type { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { answerProbe, PROBE_HEADERS, PROBE_PATHS } from '../probes.ts';
import type { WorkerPort } from '../worker-port.ts';

export function addProbeRoutes(app: Hono<AppEnv>, worker: WorkerPort): void {
  for (const path of PROBE_PATHS) {
    app.get(path, (c) => {
      const answer = answerProbe(path, worker);
      return answer === null ? c.notFound() : c.body(answer.text, answer.status, PROBE_HEADERS);
    });
    app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
  }
}
