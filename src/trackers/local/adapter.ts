import { type Clock, systemClock } from '../../domain/clock.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Tracker } from '../tracker.ts';
import { createIssueFolder } from './client.ts';
import { createLocalEditor } from './editing/editor.ts';
import { createChangeSource } from './folder/changes.ts';
import { FolderChanges } from './folder/folder-changes.ts';
import { LocalReader } from './reader.ts';
import { localStates } from './states.ts';
import { createLocalTools } from './tools.ts';

export interface LocalTrackerOptions {
  /** Absolute path of the folder of issues. */
  readonly path: string;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  /** Empty means Backlog and Human Review. */
  readonly inactiveStates?: readonly string[];
  /** When set, only issues assigned to this person are dispatchable. */
  readonly assignee?: string | null;
  /** Whether an agent may move its issue into a terminal state. Default true. */
  readonly allowTerminal?: boolean;
  /** Whose texts may reach an agent; null, the default, means everybody's. */
  readonly trust?: TrustRules | null;
  /** Starts the identifiers of new issues. Default `TASK`. */
  readonly prefix?: string;
  /** Signs the agent's comments. Default `agent`. */
  readonly author?: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** A folder of Markdown issues as a tracker. See docs/trackers/local.md. */
export function createLocalTracker(options: LocalTrackerOptions): Tracker {
  const { path, logger, clock = systemClock, assignee = null } = options;
  const changes = new FolderChanges();
  const folder = createIssueFolder(path, clock, changes);
  const states = localStates(options.activeStates, options.terminalStates, options.inactiveStates);
  const issues = new LocalReader({ folder, states, assignee, logger });
  return {
    kind: 'local',
    fetchIssuesByStates: (wanted, signal) => issues.byStates(wanted, signal),
    fetchIssuesByIds: (ids, signal) => issues.byIds(ids, signal),
    tools: createLocalTools({
      folder,
      states,
      allowTerminal: options.allowTerminal ?? true,
      author: options.author ?? 'agent',
      trust: options.trust ?? null,
      clock,
    }),
    editor: createLocalEditor({ folder, states, assignee, prefix: options.prefix ?? 'TASK', clock }),
    survey: { cost: 'none', read: (signal) => issues.survey(signal) },
    changes: createChangeSource({ path, logger, clock, changes }),
  };
}
