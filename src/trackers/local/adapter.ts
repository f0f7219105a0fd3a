import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Issue, RefreshOutcome } from '../../domain/issue.ts';
import { includesState } from '../../domain/state-name.ts';
import type { Survey } from '../../domain/survey.ts';
import type { TrustRules } from '../../domain/trust.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRepeatFilter } from '../repeat-filter.ts';
import type { Tracker } from '../tracker.ts';
import { BROKEN_FILE } from './broken-file.ts';
import { createIssueFolder } from './client.ts';
import { createChangeSource } from './folder/changes.ts';
import type { Entry, Listing } from './folder/reader.ts';
import { surveyFolder } from './folder/survey.ts';
import { type IssueEntry, normaliseIssue } from './normalize.ts';
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
  /** Signs the agent's comments. Default `agent`. */
  readonly author?: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** An editor may take a file away for a moment while it saves; only one that stays away is gone. */
const ABSENCE_CHECKS = 2;
const ABSENCE_WAIT_MS = 60;

/** A folder of Markdown issues as a tracker. See docs/trackers/local.md. */
export function createLocalTracker(options: LocalTrackerOptions): Tracker {
  const clock = options.clock ?? systemClock;
  const folder = createIssueFolder(options.path, clock);
  const states = localStates(options.activeStates, options.terminalStates, options.inactiveStates);
  const isNew = createRepeatFilter();
  /** What the last listing saw besides the issues it was asked for. */
  let survey: Survey | null = null;

  function reportBroken({ id, problem, contentKey }: Extract<Entry, { kind: 'broken' }>): void {
    if (isNew(id, contentKey))
      options.logger.warn(BROKEN_FILE, { issue_identifier: id, problem, folder: options.path });
  }

  async function readFolder(signal: AbortSignal): Promise<FolderReading> {
    const listing = await folder.list();
    const entries = await listing.loadAll(signal);
    survey = surveyFolder(listing, entries, states);
    return { listing, entries, survey };
  }

  function normalise(entry: IssueEntry, listing: Listing): Issue {
    return normaliseIssue(entry, {
      states,
      assignee: options.assignee ?? null,
      blocker(identifier) {
        const id = listing.resolve(identifier);
        return id === null ? null : listing.load(id);
      },
    });
  }

  function refresh(id: string, listing: Listing): RefreshOutcome {
    const entry = listing.load(id);
    if (entry === null) return { kind: 'absent' };
    if (entry.kind === 'issue') return { kind: 'current', issue: normalise(entry, listing) };
    reportBroken(entry);
    return { kind: 'unknown', reason: `${id}.md is not a valid issue: ${entry.problem}` };
  }

  return {
    kind: 'local',
    async fetchIssuesByStates(wanted, signal) {
      if (wanted.length === 0) return [];
      return cancellable(signal, async () => {
        const { listing, entries } = await readFolder(signal);
        const issues: Issue[] = [];
        for (const entry of entries) {
          if (entry.kind === 'broken') reportBroken(entry);
          else if (includesState(wanted, entry.content.fields.state)) issues.push(normalise(entry, listing));
        }
        return issues.sort(byIdentifier);
      });
    },
    async fetchIssuesByIds(ids, signal) {
      const outcomes = new Map<string, RefreshOutcome>();
      if (ids.length === 0) return outcomes;
      return cancellable(signal, async () => {
        let pending = [...new Set(ids)];
        for (let check = 0; pending.length > 0 && check <= ABSENCE_CHECKS; check += 1) {
          if (check > 0) await delay(ABSENCE_WAIT_MS, undefined, { signal });
          const listing = await folder.list();
          for (const id of pending) outcomes.set(id, refresh(id, listing));
          pending = pending.filter((id) => outcomes.get(id)?.kind === 'absent');
        }
        return outcomes;
      });
    },
    tools: createLocalTools({
      folder,
      states,
      allowTerminal: options.allowTerminal ?? true,
      author: options.author ?? 'agent',
      trust: options.trust ?? null,
      clock,
    }),
    survey: {
      cost: 'none',
      async read(signal) {
        return survey ?? (await cancellable(signal, () => readFolder(signal))).survey;
      },
    },
    changes: createChangeSource({ path: options.path, logger: options.logger, clock }),
  };
}

interface FolderReading {
  readonly listing: Listing;
  readonly entries: readonly Entry[];
  readonly survey: Survey;
}

const collator = new Intl.Collator('en', { numeric: true });

/** TASK-2 before TASK-10. */
function byIdentifier(a: Issue, b: Issue): number {
  return collator.compare(a.identifier, b.identifier);
}

async function cancellable<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await read();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AppError('tracker_request', 'Reading the issue folder was cancelled.', { cause: error });
  }
}
