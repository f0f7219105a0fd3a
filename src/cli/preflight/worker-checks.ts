import type { LoadedWorkflow } from '../../config/load.ts';
import type { Check } from '../../doctor/check.ts';
import type { Effects } from '../../doctor/effects.ts';
import { listChecks } from '../../doctor/list-checks.ts';
import { checkedWorkflow } from '../commands/config-check.ts';
import { doctorEffects } from '../doctor/effects.ts';
import { subjectOf } from '../doctor/subject.ts';
import type { CliIo } from '../io.ts';

/** The rules a worker asks when it starts or takes on another workflow: all that are not the doctor's own. */
export async function workerChecks(
  loaded: LoadedWorkflow,
  io: Pick<CliIo, 'environment' | 'cwd'>,
  instead: Partial<Effects> = {},
): Promise<readonly Check[]> {
  const effects = { ...doctorEffects(loaded.config, io), ...instead };
  const checks = listChecks(subjectOf(await checkedWorkflow(loaded), false), effects);
  return checks.filter(({ doctorOnly }) => doctorOnly !== true);
}

/** Those that can be answered at once, for an edit of the file: it is taken on only when they pass. */
export function quickChecks(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ needs }) => needs === 'config' || needs === 'files');
}
