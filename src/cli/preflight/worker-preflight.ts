import type { Config } from '../../config/config.ts';
import type { LoadedWorkflow } from '../../config/read/load.ts';
import type { Check } from '../../doctor/check.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Redactor } from '../../observability/redact.ts';
import { StandingWarnings } from '../../orchestrator/history/standing-warnings.ts';
import type { CliIo } from '../io.ts';
import { Preflight } from './preflight.ts';
import { quickChecks, workerChecks } from './worker-checks.ts';

export interface WorkerPreflightOptions {
  readonly io: Pick<CliIo, 'environment' | 'cwd'>;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** What an agent of a workflow starts with, as far as it is known without a run. */
  agentEnvironment?(config: Config): Record<string, string>;
}

/** The preflight of a worker, from its start through every edit of the workflow. */
export class WorkerPreflight {
  readonly warnings: StandingWarnings;
  readonly #preflight: Preflight;
  readonly #options: WorkerPreflightOptions;

  constructor(options: WorkerPreflightOptions) {
    this.#options = options;
    this.warnings = new StandingWarnings(systemClock, options.logger);
    this.#preflight = new Preflight({
      clock: systemClock,
      warnings: this.warnings,
      redact: (text) => options.redactor.redact(text),
    });
  }

  /** Rejects with `setup_broken` when runs cannot work. */
  async start(loaded: LoadedWorkflow): Promise<void> {
    await this.#preflight.start(await this.#checks(loaded));
  }

  /** Rejects when an edited workflow cannot work, so that the one in force stays; else follows it from now on. */
  async takeOn(loaded: LoadedWorkflow): Promise<void> {
    const checks = await this.#checks(loaded);
    await this.#preflight.refuse(quickChecks(checks));
    this.#preflight.follow(checks);
  }

  async stop(): Promise<void> {
    this.#preflight.stop();
  }

  #checks(loaded: LoadedWorkflow): Promise<readonly Check[]> {
    const { io, agentEnvironment } = this.#options;
    const instead =
      agentEnvironment === undefined
        ? {}
        : { agentEnvironment: async ({ config }: { readonly config: Config }) => agentEnvironment(config) };
    return workerChecks(loaded, io, instead);
  }
}
