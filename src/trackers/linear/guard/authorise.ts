import type { FieldNode } from 'graphql';
import type { Issue } from '../../../domain/issue.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { type ParsedOperation, parseOperation } from './graphql/document.ts';
import { SelectionWalk } from './graphql/selections.ts';
import { judgeMutation, type MutationPolicy, type PlannedWrite } from './judge-mutation.ts';
import { judgeQuery } from './judge-query.ts';
import { readPolicy } from './read-policy.ts';

/** What may be sent, and what must be looked up before. */
export interface AuthorisedRequest {
  readonly kind: 'query' | 'mutation';
  /** The parsed request, printed again. */
  readonly text: string;
  readonly rootFields: readonly string[];
  readonly writes: readonly AnsweredWrite<PlannedWrite>[];
}

/** A write, and the key under which the answer says that it happened; a directive may have left it out. */
export interface AnsweredWrite<Write> {
  readonly answerKey: string;
  readonly write: Write;
}

const MAX_ROOT_FIELDS = 10;

/** Reads the whole request; throws a ToolRefusal unless every part of it stays with the run's own issue. */
export function authoriseRequest(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  issue: Issue,
  policy: MutationPolicy,
): AuthorisedRequest {
  const operation = parseOperation(query, variables);
  const walk = new SelectionWalk(operation, readPolicy(policy.trust !== null));
  const roots = walk.fieldsOf(operation.selections, operation.kind === 'query' ? 'Query' : 'Mutation', 1);
  if (roots.length > MAX_ROOT_FIELDS)
    throw new ToolRefusal('query_too_large', `Ask for at most ${MAX_ROOT_FIELDS} root fields at a time.`);
  const named = roots.filter((root) => root.name.value !== '__typename');
  if (operation.kind === 'mutation') assertDistinctKeys(roots);
  else judgeReads(named, operation, walk, issue);
  return {
    kind: operation.kind,
    text: operation.text,
    rootFields: roots.map((root) => root.name.value),
    writes: operation.kind === 'query' ? [] : judgeWrites(named, operation, walk, issue, policy),
  };
}

function judgeReads(
  roots: readonly FieldNode[],
  { argumentsOf }: ParsedOperation,
  walk: SelectionWalk,
  issue: Issue,
): void {
  for (const root of roots) {
    const name = root.name.value;
    const values = argumentsOf(root);
    if (name === '__schema' || name === '__type') walk.assertBounded(root, 2);
    else walk.assertReadable(root, judgeQuery(name, values, issue), 2);
  }
}

function judgeWrites(
  roots: readonly FieldNode[],
  { argumentsOf }: ParsedOperation,
  walk: SelectionWalk,
  issue: Issue,
  policy: MutationPolicy,
): readonly AnsweredWrite<PlannedWrite>[] {
  return roots.map((root) => {
    const { payload, write } = judgeMutation(root.name.value, argumentsOf(root), issue, policy);
    walk.assertReadable(root, payload, 2, { aliases: false });
    return { answerKey: answerKeyOf(root), write };
  });
}

function answerKeyOf(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}

/** Two kinds of write under one key of the answer could not be told apart. */
function assertDistinctKeys(roots: readonly FieldNode[]): void {
  const names = new Map<string, string>();
  for (const root of roots) {
    const key = answerKeyOf(root);
    if ((names.get(key) ?? root.name.value) !== root.name.value)
      throw new ToolRefusal('invalid_query', `Two mutations answer as ${key}; give one another name.`);
    names.set(key, root.name.value);
  }
}
