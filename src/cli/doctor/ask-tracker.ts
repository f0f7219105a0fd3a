import type { Config } from '../../config/config.ts';
import type { TrackerAnswer } from '../../doctor/effects.ts';
import type { LogFields, Logger } from '../../observability/logger.ts';
import { createTracker } from '../../trackers/registry.ts';
import { describeWarning } from '../terminal/describe-warning.ts';

/** One listing through the adapter, as a poll makes it; what the adapter warns of is part of the answer, `except` for these messages. */
export async function askTracker(
  { tracker: settings }: Config,
  states: readonly string[],
  signal: AbortSignal,
  except: readonly string[] = [],
): Promise<TrackerAnswer> {
  const warnings: string[] = [];
  const note = (message: string, fields: LogFields = {}): void => {
    if (!except.includes(message)) warnings.push(describeWarning(message, fields));
  };
  const logger: Logger = { debug() {}, info() {}, warn: note, error: note, with: () => logger };
  const tracker = await createTracker(settings, { logger });
  const issues = await tracker.fetchIssuesByStates(states, signal);
  return { issues: issues.length, warnings };
}
