import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import { includesState } from '../../domain/state-name.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Purpose } from '../../http/budget/governor.ts';
import { parsePage } from '../../http/pages/connection.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRepeatFilter } from '../repeat-filter.ts';
import { graphqlError, type LinearClient } from './client.ts';
import { FIND_PROJECT, ISSUES_BY_IDS, LIST_ISSUES, MORE_BLOCKERS, MORE_LABELS } from './documents.ts';
import { type NormaliseContext, normaliseIssue } from './normalize.ts';
import { IssueNode, LabelNode, RelationNode } from './schema.ts';
import { scopeFilter } from './survey.ts';

export interface LinearReaderOptions extends NormaliseContext {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly teamKey: string | null;
  readonly maxPages: number;
  readonly logger: Logger;
}

export interface LinearReader {
  byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]>;
  byIds(ids: readonly IssueId[], signal: AbortSignal): Promise<ReadonlyMap<IssueId, RefreshOutcome>>;
}

const IDS_PER_REQUEST = 50;
const MAX_NESTED_PAGES = 20;

export function createLinearReader(options: LinearReaderOptions): LinearReader {
  const { client } = options;
  const isNew = createRepeatFilter();
  const scope = scopeFilter(options);

  function warnOf(id: string, entry: unknown): void {
    if (isNew(id, JSON.stringify(entry)?.slice(0, 2000) ?? ''))
      options.logger.warn('Linear gave an issue that is not valid; it is left out', { issue_id: id });
  }

  /** Everything on the pages after the first. */
  function rest(
    issue: IssueNode,
    field: 'labels' | 'inverseRelations',
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const document = field === 'labels' ? MORE_LABELS : MORE_BLOCKERS;
    return client.all({
      what: field === 'labels' ? 'labels' : 'relations',
      maxPages: MAX_NESTED_PAGES,
      operation: { document, purpose, signal },
      variables: (after) => ({ id: issue.id, after }),
      connection: (data) => (data['issue'] as Readonly<Record<string, unknown>> | null)?.[field],
      after: issue[field].pageInfo.endCursor,
    });
  }

  async function complete(node: IssueNode, purpose: Purpose, signal: AbortSignal): Promise<Issue> {
    const entries = async (field: 'labels' | 'inverseRelations'): Promise<readonly unknown[]> => {
      const page = node[field];
      return page.pageInfo.hasNextPage
        ? [...page.nodes, ...(await rest(node, field, purpose, signal))]
        : page.nodes;
    };
    const labels = (await entries('labels')).flatMap((entry) => {
      const label = LabelNode.safeParse(entry);
      return label.success ? [label.data.name] : [];
    });
    const relations = (await entries('inverseRelations')).map(readRelation);
    return normaliseIssue({ node, labels, relations }, options);
  }

  async function refreshSome(
    ids: readonly IssueId[],
    signal: AbortSignal,
    outcomes: Map<IssueId, RefreshOutcome>,
  ): Promise<void> {
    const { data, errors } = await client.send({
      document: ISSUES_BY_IDS,
      variables: { filter: { ...scope, id: { in: ids } } },
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
      else if (outcomes.has(id)) outcomes.set(id, await outcomeOf(entry, id, signal));
    }
  }

  /** A project that the key can no longer see makes every issue look gone. */
  async function assertVisible(signal: AbortSignal): Promise<void> {
    const variables = { filter: scope.project };
    const data = await client.query({ document: FIND_PROJECT, variables, purpose: 'refresh', signal });
    if (parsePage(data['projects'], 'projects').nodes.length > 0) return;
    throw new AppError('tracker_response', `Linear does not show the project ${options.projectSlug}.`, {
      hint: 'Check tracker.project_slug, and that the credential may see the project.',
    });
  }

  async function outcomeOf(entry: unknown, id: IssueId, signal: AbortSignal): Promise<RefreshOutcome> {
    const node = IssueNode.safeParse(entry);
    if (!node.success) {
      warnOf(id, entry);
      return { kind: 'unknown', reason: 'Linear gave an issue without the fields every issue has' };
    }
    if (node.data.trashed === true || isPutAway(node.data, options.terminalStates)) return { kind: 'absent' };
    return { kind: 'current', issue: await complete(node.data, 'refresh', signal) };
  }

  return {
    async byStates(states, signal) {
      const names = [...new Set(states.map((state) => state.trim()))];
      const filter = { ...scope, state: { or: names.map((name) => ({ name: { eqIgnoreCase: name } })) } };
      const entries = await client.all({
        what: 'issues',
        maxPages: options.maxPages,
        operation: { document: LIST_ISSUES, purpose: 'poll', signal },
        variables: (after) => ({ filter, after }),
        connection: (data) => data['issues'],
      });
      const issues = new Map<IssueId, Issue>();
      for (const entry of entries) {
        const node = IssueNode.safeParse(entry);
        if (!node.success) warnOf(idOf(entry) ?? 'an issue without an id', entry);
        else if (includesState(states, node.data.state.name) && node.data.trashed !== true)
          issues.set(node.data.id, await complete(node.data, 'poll', signal));
      }
      return [...issues.values()];
    },
    async byIds(ids, signal) {
      const distinct = [...new Set(ids)];
      const outcomes = new Map<IssueId, RefreshOutcome>();
      for (let start = 0; start < distinct.length; start += IDS_PER_REQUEST) {
        await refreshSome(distinct.slice(start, start + IDS_PER_REQUEST), signal, outcomes);
      }
      if ([...outcomes.values()].every(({ kind }) => kind === 'absent')) await assertVisible(signal);
      return outcomes;
    },
  };
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

/** A relation that cannot be read may be a blocker, so it counts as one. */
function readRelation(entry: unknown): RelationNode {
  const relation = RelationNode.safeParse(entry);
  return relation.success ? relation.data : { type: 'blocks', issue: null };
}

function idOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null || !('id' in entry)) return null;
  return typeof entry.id === 'string' && entry.id !== '' ? entry.id : null;
}
