import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Hono } from 'hono';
import { OPENAPI_PATH } from '../../contract/api.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import type { AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { formatMetrics, type ProcessMetrics } from '../metrics.ts';
import type { EventHub } from '../stream/event-hub.ts';
import type { WorkerPort } from '../worker-port.ts';

const METRICS_PATH = '/metrics';
const LAG_RESOLUTION_MS = 20;

/** For tools: what the API looks like, and numbers for a monitor. */
export function addMetaRoutes(
  app: Hono<AppEnv>,
  { worker, hub }: { readonly worker: WorkerPort; readonly hub: EventHub },
): void {
  let document: string | null = null;
  let lag: IntervalHistogram | null = null;

  app.get(OPENAPI_PATH, (c) => {
    document ??= JSON.stringify(openApiDocument());
    return c.body(document, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
  app.get(METRICS_PATH, (c) => {
    // Watching begins with the first look, so that nobody pays who never looks.
    if (lag === null) {
      lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
      lag.enable();
    }
    const text = formatMetrics(worker.metrics(), processMetrics(lag, hub.clients));
    return c.body(text, 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });
  for (const path of [OPENAPI_PATH, METRICS_PATH]) app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
}

function processMetrics(lag: IntervalHistogram, streamClients: number): ProcessMetrics {
  const { rss, heapUsed } = process.memoryUsage();
  const seconds = (percentile: number): number =>
    lag.count === 0 ? 0 : Math.max(0, lag.percentile(percentile) / 1e9 - LAG_RESOLUTION_MS / 1000);
  return {
    eventLoopLagP50: seconds(50),
    eventLoopLagP99: seconds(99),
    residentBytes: rss,
    heapBytes: heapUsed,
    streamClients,
  };
}
