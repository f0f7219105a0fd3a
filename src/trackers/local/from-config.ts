import { isAbsolute } from 'node:path';
import type { TrackerConfig } from '../../config/config.ts';
import { invalidSetting, readFlag } from '../provider-settings.ts';
import type { Tracker } from '../tracker.ts';
import type { TrackerAdapter, TrackerDependencies } from '../tracker-kind.ts';
import { createLocalTracker } from './adapter.ts';
import { isIssuePrefix } from './schema.ts';

export const localAdapter: TrackerAdapter = { create: createFromConfig };

/** The folder of issues that a workflow describes. */
function createFromConfig(config: TrackerConfig, { logger, clock }: TrackerDependencies): Tracker {
  const { path, issue_prefix: prefix = 'TASK' } = config.provider;
  if (typeof path !== 'string' || !isAbsolute(path)) {
    throw invalidSetting(
      'tracker.path must name the folder of issues.',
      'Set tracker.path, for example to ./issues.',
    );
  }
  if (typeof prefix !== 'string' || !isIssuePrefix(prefix)) {
    throw invalidSetting(
      `tracker.issue_prefix ${JSON.stringify(prefix)} cannot start an identifier.`,
      'Use letters, digits, "_" or "-", starting with a letter, for example TASK.',
    );
  }
  return createLocalTracker({
    path,
    activeStates: config.activeStates,
    terminalStates: config.terminalStates,
    inactiveStates: config.inactiveStates,
    assignee: config.assignee,
    prefix,
    allowTerminal: readFlag(config.provider, 'allow_terminal'),
    trust: config.trust,
    logger,
    ...(clock === undefined ? {} : { clock }),
  });
}
