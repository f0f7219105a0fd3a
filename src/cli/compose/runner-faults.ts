import type { Config } from '../../config/config.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import { createRunner } from '../../runners/registry.ts';

/** Why agents that this configuration can choose, by default or by a profile, cannot be made. */
export async function runnerFaults(config: Config): Promise<readonly string[]> {
  const names = [null, ...config.agent.profiles.map(({ name }) => name)];
  const faults = await Promise.all(
    names.map(async (name) => {
      const settings = runSettings(config, name);
      const about = name === null ? '' : `agent.profiles.${name}: `;
      return createRunner(settings.agent.kind, settings).then(
        () => [],
        (error: unknown) => [`${about}${withHint(error)}`],
      );
    }),
  );
  return faults.flat();
}

/** What went wrong and what to do, in one text. */
export function withHint(error: unknown): string {
  const message = messageOf(error);
  return error instanceof AppError && error.hint !== null ? `${message} ${error.hint}` : message;
}
