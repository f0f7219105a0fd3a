import type { LoadedWorkflow } from '../../config/read/load.ts';
import type { Check } from '../../doctor/check.ts';
import type { Effects } from '../../doctor/effects.ts';
import { listChecks } from '../../doctor/list-checks.ts';
import { BROKEN_FILE } from '../../trackers/local/broken-file.ts';
import { checkedWorkflow } from '../config/check.ts';
import { askTracker } from '../doctor/ask-tracker.ts';
import { doctorEffects } from '../doctor/effects.ts';
import { subjectOf } from '../doctor/subject.ts';
import type { CliIo } from '../io.ts';

/** The rules a worker asks when it starts or takes on another workflow: all that are not the doctor's own. */
export async function workerChecks(
  loaded: LoadedWorkflow,
  io: Pick<CliIo, 'environment' | 'cwd'>,
  instead: Partial<Effects> = {},
): Promise<readonly Check[]> {
  const own: Partial<Effects> = {
    // The worker names files that are no issues wherever it tells of its queue.
    askTracker: (states, signal) => askTracker(loaded.config, states, signal, [BROKEN_FILE]),
  };
  const effects = { ...doctorEffects(loaded.config, io), ...own, ...instead };
  const checks = listChecks(subjectOf(await checkedWorkflow(loaded), false), effects);
  return checks.filter(({ doctorOnly }) => doctorOnly !== true);
}

/** Those that can be answered at once, for an edit of the file: it is taken on only when they pass. */
export function quickChecks(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ needs }) => needs === 'config' || needs === 'files');
}
