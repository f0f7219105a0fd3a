import type { Environment } from '../../../config/read/environment.ts';
import type { LoadedWorkflow } from '../../../config/read/load.ts';
import { type ConfigProblem, formatProblem } from '../../../config/read/problem.ts';
import { watchWorkflow } from '../../../config/read/watch.ts';
import type { Logger } from '../../../observability/logger.ts';
import { loadWorkflow } from '../../workflow-file.ts';

export interface ReloadOptions {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly loaded: LoadedWorkflow;
  /** Puts a new configuration into force; a rejection keeps the old one and is shown like a bad file. */
  apply(loaded: LoadedWorkflow): Promise<void>;
}

export interface Reloading {
  /** What is wrong with the file as it is now; null while the configuration in force is the file's. */
  readonly error: string | null;
  stop(): Promise<void>;
}

/** Follows the workflow file. A bad edit leaves the last good configuration in force and is visible until mended. */
export function followWorkflow(options: ReloadOptions): Reloading {
  const { environment, logger, loaded } = options;
  const path = loaded.config.workflowPath;
  let error: string | null = null;
  const stop = watchWorkflow({
    path,
    since: loaded.fingerprint,
    load: () => loadWorkflow({ path, environment }),
    async onReload(next) {
      await options.apply(next);
      error = null;
      for (const warning of next.warnings)
        logger.warn('workflow warning', { problem: formatProblem(warning) });
      logger.info('workflow reloaded', { path, poll_interval_ms: next.config.polling.intervalMs });
    },
    onFailure(problems) {
      error = problems.map(describe).join('\n');
      logger.error('workflow reload failed, the last good one stays in force', { path, problem: error });
    },
    onRecovered() {
      error = null;
      logger.info('workflow is good again', { path });
    },
  });
  return {
    get error() {
      return error;
    },
    stop,
  };
}

function describe(problem: ConfigProblem): string {
  return formatProblem(problem);
}
