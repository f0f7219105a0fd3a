import type { Environment } from '../../../config/read/environment.ts';
import { systemClock } from '../../../domain/clock.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Redactor } from '../../../observability/redact.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import type { ExecuteRun } from '../../../run/protocol.ts';
import { readTracingSettings } from '../../../telemetry/tracing-settings.ts';

export interface Telemetry {
  /** The same runs, their tool calls traced. */
  traced(execute: ExecuteRun): ExecuteRun;
  follow(orchestrator: Orchestrator): void;
  /** Sends what is left, within a few seconds. */
  stop(): Promise<void>;
}

const NO_TELEMETRY: Telemetry = { traced: (execute) => execute, follow() {}, async stop() {} };

export interface TelemetryOptions {
  readonly environment: Environment;
  readonly version: string;
  readonly logger: Logger;
  readonly redactor: Redactor;
}

/** Traces when the environment asks for them. What cannot be had is said once; the worker works without it. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { environment, version, logger, redactor } = options;
  const settings = readTracingSettings(environment);
  if (settings.kind === 'off') return NO_TELEMETRY;
  if (settings.kind === 'unusable') {
    logger.warn('traces are off', { reason: settings.why });
    return NO_TELEMETRY;
  }
  for (const secret of settings.secrets) redactor.register(secret);
  const { openTracer } = await import('../../../telemetry/open-tracer.ts');
  const { RunSpans } = await import('../../../telemetry/run-spans.ts');
  const { followRuns, timedTools } = await import('../../../telemetry/follow-runs.ts');
  try {
    const tracer = await openTracer({ url: settings.url, version, logger });
    const spans = new RunSpans(tracer, (text) => redactor.redact(text));
    let forget = (): void => {};
    return {
      traced: (execute) => timedTools(execute, spans, systemClock),
      follow(orchestrator) {
        forget = followRuns(orchestrator, spans);
      },
      async stop() {
        forget();
        await tracer.close();
      },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn('traces are off', { reason: error.message, hint: error.hint });
    return NO_TELEMETRY;
  }
}
