import type { Author, NativeRef } from '../../domain/issue.ts';
import { parseRepository, type Repository } from '../../domain/repository.ts';
import type { BlockerRecord, ForgeRecord } from '../forge/record.ts';
import { malformed, type ParsedIssue } from '../forge/rest/dialect.ts';
import { GraphqlIssue, RestIssue } from './schema.ts';

export function parseRestIssue(json: unknown, repository: Repository): ParsedIssue {
  const parsed = RestIssue.safeParse(json);
  if (!parsed.success || parsed.data.title.trim() === '') return malformed(json);
  const issue = parsed.data;
  if (issue.pull_request !== undefined && issue.pull_request !== null) return { kind: 'pull_request' };
  return {
    kind: 'record',
    record: {
      number: issue.number,
      title: issue.title.trim(),
      body: issue.body ?? null,
      closed: issue.state === 'closed',
      labels: labelNames(issue.labels),
      assignees: logins(issue.assignees),
      author: authorOf(issue.user, issue.author_association),
      url: issue.html_url ?? null,
      createdAt: issue.created_at ?? null,
      updatedAt: issue.updated_at ?? null,
      openBlockers: issue.issue_dependencies_summary?.blocked_by ?? null,
      nativeRef: nativeRef({
        id: issue.id ?? null,
        nodeId: issue.node_id ?? null,
        number: issue.number,
        repository,
        author: issue.user?.login ?? null,
        association: issue.author_association ?? null,
        parent: parentIn(issue.parent_issue_url ?? null),
        subIssues: issue.sub_issues_summary ?? null,
      }),
    },
  };
}

/** Null when it is not a valid issue. */
export function parseGraphqlIssue(json: unknown, repository: Repository): ForgeRecord | null {
  const parsed = GraphqlIssue.safeParse(json);
  if (!parsed.success || parsed.data.title.trim() === '') return null;
  const issue = parsed.data;
  const { parent } = issue;
  const author = restUser(issue.author);
  return {
    number: issue.number,
    title: issue.title.trim(),
    body: issue.body === '' ? null : (issue.body ?? null),
    closed: issue.state === 'CLOSED',
    labels: issue.labels.nodes.map((node) => node.name),
    assignees: logins(issue.assignees?.nodes),
    author: authorOf(author, issue.authorAssociation),
    url: issue.url ?? null,
    createdAt: issue.createdAt ?? null,
    updatedAt: issue.updatedAt ?? null,
    openBlockers: null,
    nativeRef: nativeRef({
      id: databaseId(issue),
      nodeId: issue.id ?? null,
      number: issue.number,
      repository,
      author: author?.login ?? null,
      association: issue.authorAssociation ?? null,
      parent: parent ? `${parent.repository.nameWithOwner}#${parent.number}` : null,
      subIssues: issue.subIssuesSummary ?? null,
    }),
  };
}

interface RestUser {
  readonly login: string;
  readonly type?: string | null | undefined;
}

/** Null for a mannequin, too: it stands for an account of another server, where anybody may have had its login. */
export function authorOf(
  user: RestUser | null | undefined,
  association: string | null | undefined,
): Author | null {
  if (user === null || user === undefined || user.type === 'Mannequin') return null;
  return { names: [user.login], association: association ?? null };
}

/** GraphQL leaves out the ending by which REST tells applications from people of the same name. */
function restUser(author: GraphqlIssue['author']): RestUser | null {
  if (author === null || author === undefined) return null;
  const ending = author.__typename === 'Bot' && !author.login.endsWith('[bot]') ? '[bot]' : '';
  return { login: `${author.login}${ending}`, type: author.__typename };
}

/** A blocker may live in another repository; null when the entry is not usable. */
export function parseBlocker(json: unknown, repository: Repository): BlockerRecord | null {
  const parsed = RestIssue.safeParse(json);
  if (!parsed.success) return null;
  const { number, state, labels, repository_url: address } = parsed.data;
  return {
    repository: parseRepository(address?.split('/repos/')[1]) ?? repository,
    number,
    closed: state === 'closed',
    labels: labelNames(labels),
  };
}

/** REST gives labels as objects, and in old answers as plain names. */
function labelNames(labels: RestIssue['labels']): readonly string[] {
  return labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])));
}

interface NativeFacts {
  readonly id: number | null;
  readonly nodeId: string | null;
  readonly number: number;
  readonly repository: Repository;
  readonly author: string | null;
  readonly association: string | null;
  readonly parent: string | null;
  readonly subIssues: { readonly total: number; readonly completed: number } | null;
}

function nativeRef(facts: NativeFacts): NativeRef {
  return {
    id: facts.id,
    node_id: facts.nodeId,
    number: facts.number,
    repo: `${facts.repository.owner}/${facts.repository.name}`,
    author: facts.author,
    author_association: facts.association,
    parent: facts.parent,
    sub_issues:
      facts.subIssues === null
        ? null
        : { total: facts.subIssues.total, completed: facts.subIssues.completed },
  };
}

function parentIn(address: string | null): string | null {
  const match = /\/repos\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)$/.exec(address ?? '');
  return match === null ? null : `${match[1]}#${match[2]}`;
}

function databaseId({ fullDatabaseId, databaseId: id }: GraphqlIssue): number | null {
  return /^\d{1,15}$/.test(fullDatabaseId ?? '') ? Number(fullDatabaseId) : (id ?? null);
}

function logins(
  users: readonly ({ readonly login: string } | null | undefined)[] | null | undefined,
): readonly string[] {
  return (users ?? []).flatMap((user) => user?.login ?? []);
}
