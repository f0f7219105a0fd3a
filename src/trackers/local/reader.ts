import { setTimeout as delay } from 'node:timers/promises';
import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import { includesState } from '../../domain/state-name.ts';
import type { Survey } from '../../domain/survey.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRepeatFilter } from '../repeat-filter.ts';
import { BROKEN_FILE } from './broken-file.ts';
import type { IssueFolder } from './client.ts';
import type { Entry, Listing } from './folder/listing.ts';
import { surveyFolder } from './folder/survey.ts';
import { type IssueEntry, normaliseIssue } from './normalize.ts';
import type { LocalStates } from './states.ts';

interface LocalReaderOptions {
  readonly folder: IssueFolder;
  readonly states: LocalStates;
  /** When set, only issues assigned to this person are dispatchable. */
  readonly assignee: string | null;
  readonly logger: Logger;
}

/** An editor may take a file away for a moment while it saves; only one that stays away is gone. */
const ABSENCE_CHECKS = 2;
const ABSENCE_WAIT_MS = 60;

/** The reads of the port from a folder of files. */
export class LocalReader {
  readonly #options: LocalReaderOptions;
  readonly #isNew = createRepeatFilter();
  /** What the last listing saw besides the issues it was asked for. */
  #survey: Survey | null = null;

  constructor(options: LocalReaderOptions) {
    this.#options = options;
  }

  async byStates(wanted: readonly string[], signal: AbortSignal): Promise<readonly Issue[]> {
    if (wanted.length === 0) return [];
    return cancellable(signal, async () => {
      const { listing, entries } = await this.#readFolder(signal);
      const issues: Issue[] = [];
      for (const entry of entries) {
        if (entry.kind === 'broken') this.#reportBroken(entry);
        else if (includesState(wanted, entry.content.fields.state))
          issues.push(this.#normalise(entry, listing));
      }
      return issues;
    });
  }

  async byIds(ids: readonly IssueId[], signal: AbortSignal): Promise<ReadonlyMap<IssueId, RefreshOutcome>> {
    const outcomes = new Map<IssueId, RefreshOutcome>();
    if (ids.length === 0) return outcomes;
    return cancellable(signal, async () => {
      let pending = [...new Set(ids)];
      for (let check = 0; pending.length > 0 && check <= ABSENCE_CHECKS; check += 1) {
        if (check > 0) await delay(ABSENCE_WAIT_MS, undefined, { signal });
        const listing = await this.#options.folder.list(pending);
        for (const id of pending) outcomes.set(id, this.#refresh(id, listing));
        pending = pending.filter((id) => outcomes.get(id)?.kind === 'absent');
      }
      return outcomes;
    });
  }

  async survey(signal: AbortSignal): Promise<Survey> {
    return this.#survey ?? (await cancellable(signal, () => this.#readFolder(signal))).survey;
  }

  async #readFolder(signal: AbortSignal): Promise<FolderReading> {
    const listing = await this.#options.folder.list();
    const entries = await listing.loadAll(signal);
    const survey = surveyFolder(listing, entries, this.#options.states);
    this.#survey = survey;
    return { listing, entries, survey };
  }

  #refresh(id: IssueId, listing: Listing): RefreshOutcome {
    const entry = listing.load(id);
    if (entry === null) return { kind: 'absent' };
    if (entry.kind === 'issue') return { kind: 'current', issue: this.#normalise(entry, listing) };
    this.#reportBroken(entry);
    return { kind: 'unknown', reason: `${id}.md is not a valid issue: ${entry.problem}` };
  }

  #normalise(entry: IssueEntry, listing: Listing): Issue {
    const { states, assignee } = this.#options;
    return normaliseIssue(entry, {
      states,
      assignee,
      blocker(identifier) {
        const id = listing.resolve(identifier);
        return id === null ? null : listing.load(id);
      },
    });
  }

  #reportBroken({ id, problem, contentKey }: Extract<Entry, { kind: 'broken' }>): void {
    const { folder, logger } = this.#options;
    if (this.#isNew(id, contentKey))
      logger.warn(BROKEN_FILE, { issue_identifier: id, problem, folder: folder.path });
  }
}

interface FolderReading {
  readonly listing: Listing;
  readonly entries: readonly Entry[];
  readonly survey: Survey;
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
