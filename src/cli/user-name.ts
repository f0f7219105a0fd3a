import type { Environment } from '../config/read/environment.ts';

/** Who runs this command, as the environment has it; null when it does not say. */
export function userName(environment: Environment): string | null {
  const names = [environment['USER'], environment['LOGNAME'], environment['USERNAME']];
  return names.find((name) => name !== undefined && name.trim() !== '')?.slice(0, 100) ?? null;
}
