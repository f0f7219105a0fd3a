import type { Issue } from '../../domain/issue.ts';
import { nearest } from '../../domain/nearest.ts';
import { AppError, hasErrno } from '../../errors/app-error.ts';
import { createIssueFolder, type IssueFolder, invalidFile } from '../../trackers/local/client.ts';
import { plainLine } from '../../trackers/local/editing/new-issue.ts';
import type { Entry, Listing } from '../../trackers/local/folder/listing.ts';
import { type IssueEntry, normaliseIssue } from '../../trackers/local/normalize.ts';
import { allStates, knownState } from '../../trackers/local/states.ts';
import type { IssueSettings } from './settings.ts';

/** The folder of issues as one command finds it. */
export interface LocalIssues {
  readonly settings: IssueSettings;
  readonly folder: IssueFolder;
  readonly entries: readonly Entry[];
  /** Files that look as if they were meant to be issues and are none. */
  readonly strangers: Listing['strangers'];
  /** The issue a person means, whatever the case; throws with a suggestion when there is none. */
  find(identifier: string): IssueEntry;
  normalise(entry: IssueEntry): Issue;
  /** The known spelling of a state; an unknown one only if it is meant. */
  state(wanted: string, allowNew: boolean): string;
}

/** `missingIsEmpty`: a folder that does not exist yet has no issues, instead of being an error. */
export async function openLocalIssues(settings: IssueSettings, missingIsEmpty = false): Promise<LocalIssues> {
  const folder = createIssueFolder(settings.path);
  const listing = await folder.list().catch((error: unknown) => {
    if (missingIsEmpty && isMissingFolder(error)) return null;
    throw error;
  });
  const entries = (await listing?.loadAll()) ?? [];
  const load = (identifier: string): Entry | null => lookUp(listing, identifier);
  const inUse = entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.content.fields.state] : []));
  return {
    settings,
    folder,
    entries,
    strangers: listing?.strangers ?? [],
    find(identifier) {
      const entry = load(identifier.trim());
      if (entry === null) throw unknownIssue(identifier, settings.path, listing?.ids ?? []);
      if (entry.kind === 'broken') throw invalidFile(folder.pathOf(entry.id), entry.problem);
      return entry;
    },
    normalise: (entry) =>
      normaliseIssue(entry, { states: settings.states, assignee: settings.assignee, blocker: load }),
    state(wanted, allowNew) {
      const name = plainLine(wanted);
      const known = knownState(settings.states, inUse, name);
      if (known !== null) return known;
      if (name !== '' && allowNew) return name;
      throw unknownState(name, allStates(settings.states, inUse));
    },
  };
}

function lookUp(listing: Listing | null, identifier: string): Entry | null {
  const id = listing?.resolve(identifier) ?? identifier;
  return listing?.load(id) ?? null;
}

function isMissingFolder(error: unknown): boolean {
  return error instanceof AppError && hasErrno(error.cause, 'ENOENT');
}

function unknownIssue(identifier: string, path: string, ids: readonly string[]): AppError {
  const similar = nearest(identifier, ids);
  return new AppError('issue_not_found', `There is no issue ${JSON.stringify(identifier)} in ${path}.`, {
    hint:
      similar === null ? 'Run "aiops issue list --all" to see what there is.' : `Did you mean ${similar}?`,
  });
}

function unknownState(name: string, known: readonly string[]): AppError {
  const similar = nearest(name, known);
  const suggestion = similar === null ? '' : `Did you mean ${JSON.stringify(similar)}? `;
  return new AppError('usage', `There is no state ${JSON.stringify(name)}.`, {
    hint: `${suggestion}States: ${known.join(', ')}. Add --new-state to use a state that no issue is in yet.`,
  });
}
