import type * as OpenTelemetry from '@opentelemetry/api';
import { AppError, hasErrno } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { settledWithin } from '../process/children/settled-within.ts';
import { reportingExporter } from './reporting-exporter.ts';

/** Finished spans that may wait for the receiver; more are dropped. */
const MAX_WAITING_SPANS = 2_048;

export interface ExportTiming {
  readonly everyMs: number;
  /** For one batch, with all attempts. */
  readonly timeoutMs: number;
  /** How long a shutdown waits for a receiver that does not answer. */
  readonly flushMs: number;
}

const DEFAULT_TIMING: ExportTiming = { everyMs: 2_000, timeoutMs: 10_000, flushMs: 3_000 };

export interface OpenTracer {
  readonly api: typeof OpenTelemetry;
  readonly tracer: OpenTelemetry.Tracer;
  /** Sends what is left, as far as the time for it allows. */
  close(): Promise<void>;
}

export interface TracerOptions {
  readonly url: string;
  readonly version: string;
  readonly logger: Logger;
  readonly timing?: ExportTiming;
}

/**
 * Loads OpenTelemetry's own packages and opens a tracer that sends OTLP over HTTP. They are no dependencies of this
 * package; without them it rejects with `telemetry_unavailable`.
 */
export async function openTracer({
  url,
  version,
  logger,
  timing = DEFAULT_TIMING,
}: TracerOptions): Promise<OpenTracer> {
  const { api, resources, sdk, otlp } = await loadPackages();
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'aiops-worker', 'service.version': version })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const exporter = reportingExporter(
    new otlp.OTLPTraceExporter({ url, timeoutMillis: timing.timeoutMs }),
    url,
    logger,
  );
  const processor = new sdk.BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_WAITING_SPANS,
    scheduledDelayMillis: timing.everyMs,
    exportTimeoutMillis: timing.timeoutMs,
  });
  const provider = new sdk.TracerProvider({ resource, spanProcessors: [processor] });
  return {
    api,
    tracer: provider.getTracer('aiops-platform', version),
    async close() {
      await settledWithin(provider.shutdown(), timing.flushMs);
    },
  };
}

async function loadPackages() {
  try {
    const [api, resources, sdk, otlp] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return { api, resources, sdk, otlp };
  } catch (error) {
    if (!hasErrno(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new AppError('telemetry_unavailable', 'the packages of OpenTelemetry are not installed', {
      hint:
        'Run `npm install @opentelemetry/api @opentelemetry/resources@2 @opentelemetry/sdk-trace@2 ' +
        '@opentelemetry/exporter-trace-otlp-http@0.223` beside aiops-platform (with -g if that is installed so).',
      cause: error,
    });
  }
}
