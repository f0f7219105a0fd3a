import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../observability/logger.ts';

/** OpenTelemetry's code for an export that worked. */
const SUCCESS = 0;

/** The same exporter, telling once when the receiver stops taking spans and once when it takes them again. */
export function reportingExporter(exporter: SpanExporter, url: string, logger: Logger): SpanExporter {
  const { origin, pathname } = new URL(url);
  const receiver = `${origin}${pathname}`;
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS;
        if (failed && !failing) {
          const error = result.error?.message ?? 'unknown reason';
          logger.warn('traces cannot be sent and are dropped until they can', { receiver, error });
        } else if (failing && !failed) logger.info('traces are sent again', { receiver });
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
