import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import { includesState } from '../../domain/state-name.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Purpose } from '../../http/budget/governor.ts';
import { parsePage } from '../../http/pages/connection.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRepeatFilter } from '../repeat-filter.ts';
import { graphqlError, type LinearClient } from './client.ts';
import { FIND_PROJECT, ISSUES_BY_IDS, LIST_ISSUES } from './documents.ts';
import { type NormaliseContext, normaliseIssue } from './normalize.ts';
import { IssueNode } from './schema.ts';
import { scopeFilter } from './survey.ts';
import { readWholeIssue } from './whole-issue.ts';

export interface LinearReaderOptions extends NormaliseContext {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly teamKey: string | null;
  readonly maxPages: number;
  readonly logger: Logger;
}

export const IDS_PER_REQUEST = 50;

export function createLinearReader(options: LinearReaderOptions): LinearReader {
  return new LinearReader(options);
}

class LinearReader {
  readonly #options: LinearReaderOptions;
  readonly #scope: ReturnType<typeof scopeFilter>;
  readonly #isNew = createRepeatFilter();

  constructor(options: LinearReaderOptions) {
    this.#options = options;
    this.#scope = scopeFilter(options);
  }

  async byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]> {
    const { client, maxPages } = this.#options;
    const names = [...new Set(states.map((state) => state.trim()))];
    const anyOf = names.map((name) => ({ name: { eqIgnoreCase: name } }));
    const filter = { ...this.#scope, state: { or: anyOf } };
    const entries = await client.all({
      what: 'issues',
      maxPages,
      operation: { document: LIST_ISSUES, purpose: 'poll', signal },
      variables: (after) => ({ filter, after }),
      connection: (data) => data['issues'],
    });
    const issues = new Map<IssueId, Issue>();
    for (const entry of entries) {
      const node = this.#parse(entry);
      if (node !== null && includesState(states, node.state.name) && node.trashed !== true)
        issues.set(node.id, await this.#complete(node, 'poll', signal));
    }
    return [...issues.values()];
  }

  async byIds(ids: readonly IssueId[], signal: AbortSignal): Promise<ReadonlyMap<IssueId, RefreshOutcome>> {
    const distinct = [...new Set(ids)];
    const outcomes = new Map<IssueId, RefreshOutcome>();
    for (let start = 0; start < distinct.length; start += IDS_PER_REQUEST) {
      await this.#refreshSome(distinct.slice(start, start + IDS_PER_REQUEST), signal, outcomes);
    }
    if ([...outcomes.values()].every(({ kind }) => kind === 'absent')) await this.#assertVisible(signal);
    return outcomes;
  }

  async #refreshSome(
    ids: readonly IssueId[],
    signal: AbortSignal,
    outcomes: Map<IssueId, RefreshOutcome>,
  ): Promise<void> {
    const { data, errors } = await this.#options.client.send({
      document: ISSUES_BY_IDS,
      variables: { filter: { ...this.#scope, id: { in: ids } } },
      purpose: 'refresh',
      signal,
    });
    const [error] = errors;
    if (data === null && error !== undefined) throw graphqlError(error);
    const page = parsePage(data?.['issues'], 'issues');
    const isWhole = errors.length === 0 && !page.pageInfo.hasNextPage;
    const missing: RefreshOutcome = isWhole
      ? { kind: 'absent' }
      : { kind: 'unknown', reason: `Linear answered in part: ${error?.message ?? 'a page is missing'}` };
    for (const id of ids) outcomes.set(id, missing);
    // A field that failed reads as null, and so as unassigned or as written by nobody.
    const broken = new Set(errors.map(({ path }) => path[2]));
    for (const [index, entry] of page.nodes.entries()) {
      const id = idOf(entry);
      if (broken.has(index)) continue;
      if (id === null) markUnread(ids, outcomes);
      else if (outcomes.has(id)) outcomes.set(id, await this.#outcomeOf(entry, signal));
    }
  }

  async #outcomeOf(entry: unknown, signal: AbortSignal): Promise<RefreshOutcome> {
    const node = this.#parse(entry);
    if (node === null)
      return { kind: 'unknown', reason: 'Linear gave an issue without the fields every issue has' };
    if (node.trashed === true || isPutAway(node, this.#options.terminalStates)) return { kind: 'absent' };
    return { kind: 'current', issue: await this.#complete(node, 'refresh', signal) };
  }

  /** Null, with a warning, for an entry that is no valid issue. */
  #parse(entry: unknown): IssueNode | null {
    const node = IssueNode.safeParse(entry);
    if (node.success) return node.data;
    const id = idOf(entry) ?? 'an issue without an id';
    if (this.#isNew(id, JSON.stringify(entry)?.slice(0, 2000) ?? ''))
      this.#options.logger.warn('Linear gave an issue that is not valid; it is left out', { issue_id: id });
    return null;
  }

  async #complete(node: IssueNode, purpose: Purpose, signal: AbortSignal): Promise<Issue> {
    return normaliseIssue(await readWholeIssue(this.#options.client, node, purpose, signal), this.#options);
  }

  /** A project that the key can no longer see makes every issue look gone. */
  async #assertVisible(signal: AbortSignal): Promise<void> {
    const { client, projectSlug } = this.#options;
    const variables = { filter: this.#scope.project };
    const data = await client.query({ document: FIND_PROJECT, variables, purpose: 'refresh', signal });
    if (parsePage(data['projects'], 'projects').nodes.length > 0) return;
    throw new AppError('tracker_response', `Linear does not show the project ${projectSlug}.`, {
      hint: 'Check tracker.project_slug, and that the credential may see the project.',
    });
  }
}

/** Archived by hand while it was still open: nobody wants it worked on. */
function isPutAway(node: IssueNode, terminal: readonly string[]): boolean {
  return node.archivedAt !== null && !includesState(terminal, node.state.name);
}

/** A record without an id may be any of those asked for: none of them is known to be gone. */
function markUnread(ids: readonly IssueId[], outcomes: Map<IssueId, RefreshOutcome>): void {
  for (const id of ids) {
    if (outcomes.get(id)?.kind === 'absent')
      outcomes.set(id, { kind: 'unknown', reason: 'Linear gave an issue without an id' });
  }
}

function idOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null || !('id' in entry)) return null;
  return typeof entry.id === 'string' && entry.id !== '' ? entry.id : null;
}
