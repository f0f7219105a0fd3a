import { createHash } from 'node:crypto';
import type { IssueCard, TrackerBoard, TrackerIssue } from '../../../contract/tracker-issues.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Issue } from '../../../domain/issue.ts';
import { includesState } from '../../../domain/state-name.ts';
import { type IssueFolder, invalidFile, notFound } from '../client.ts';
import { parseIssueText } from '../file/document.ts';
import { type FileReading, readIssueFile } from '../file/read-file.ts';
import { asidePath } from '../file/write-file.ts';
import type { Entry, Listing } from '../folder/listing.ts';
import { type IssueEntry, normaliseIssue } from '../normalize.ts';
import { allStates, type LocalStates } from '../states.ts';
import { byStateAndPriority } from './order.ts';

export interface LocalEditorOptions {
  readonly folder: IssueFolder;
  readonly states: LocalStates;
  readonly assignee: string | null;
  /** Starts the identifiers of new issues. */
  readonly prefix: string;
  readonly clock: Clock;
}

/** More are counted, not listed. */
const MAX_LISTED = 1_000;
const MAX_BROKEN = 50;

export async function readBoard(options: LocalEditorOptions, signal?: AbortSignal): Promise<TrackerBoard> {
  const { folder, states } = options;
  const listing = await folder.list();
  const entries = await listing.loadAll(signal);
  const compare = byStateAndPriority(states);
  const found = entries
    .flatMap((entry) =>
      entry.kind === 'issue' ? [{ entry, issue: normalise(entry, options, listing) }] : [],
    )
    .sort((a, b) => compare(a.issue, b.issue));
  const broken = entries.flatMap((entry) =>
    entry.kind === 'broken' ? [{ name: `${entry.id}.md`, problem: entry.problem }] : [],
  );
  const strangers = listing.strangers.map(({ name, why }) => ({ name, problem: why }));
  return {
    states: allStates(states, inUse(entries)).map((name) => ({ name, kind: kindOf(states, name) })),
    issues: found.slice(0, MAX_LISTED).map(({ entry, issue }) => toCard(issue, entry)),
    left_out: Math.max(0, found.length - MAX_LISTED),
    broken: [...broken, ...strangers].slice(0, MAX_BROKEN),
  };
}

/** The identifier as the folder spells it; only names of issues are found. */
export function findId({ folder }: LocalEditorOptions, listing: Listing, name: string): string {
  const id = listing.resolve(name);
  if (id === null) throw notFound(name.slice(0, 200), folder.path);
  return id;
}

/** The issue as its file is at this moment, whoever wrote it last. */
export function presentIssue(options: LocalEditorOptions, id: string, listing: Listing): TrackerIssue {
  const path = options.folder.pathOf(id);
  const listed = listing.load(id);
  if (listed?.kind === 'broken') throw invalidFile(path, listed.problem);
  const file = readNow(path);
  if (file.kind === 'gone') throw notFound(id, options.folder.path);
  if (file.kind === 'unusable') throw invalidFile(path, file.problem);
  const parsed = parseIssueText(file.text);
  if (!parsed.ok) throw invalidFile(path, parsed.problem);
  const modifiedAt = new Date(file.modifiedMs).toISOString();
  const entry = { kind: 'issue', id, content: parsed.value, modifiedAt } as const;
  return {
    ...toCard(normalise(entry, options, listing), entry),
    description: parsed.value.description.replaceAll('\r\n', '\n'),
    version: versionOfText(file.text),
  };
}

/** While a file is replaced it is aside; when it is not there either, it is back. */
function readNow(path: string): FileReading {
  for (const place of [path, asidePath(path)]) {
    const file = readIssueFile(place);
    if (file.kind !== 'gone') return file;
  }
  return readIssueFile(path);
}

export function versionOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function inUse(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.content.fields.state] : []));
}

function kindOf(states: LocalStates, name: string): TrackerBoard['states'][number]['kind'] {
  if (includesState(states.active, name)) return 'active';
  return includesState(states.terminal, name) ? 'finished' : 'waiting';
}

function normalise(entry: IssueEntry, { states, assignee }: LocalEditorOptions, listing: Listing): Issue {
  return normaliseIssue(entry, {
    states,
    assignee,
    blocker(identifier) {
      const id = listing.resolve(identifier);
      return id === null ? null : listing.load(id);
    },
  });
}

function toCard(issue: Issue, { content }: IssueEntry): IssueCard {
  return {
    id: issue.id,
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    labels: [...issue.labels],
    assignee: issue.assigneeId,
    updated_at: issue.updatedAt,
    comments: content.comments.length,
    held_by: issue.undispatchableReason,
  };
}
