import type { FieldNode } from 'graphql';
import type { Issue } from '../../../domain/issue.ts';
import { type ParsedOperation, parseOperation } from '../../tool-guard/graphql/document.ts';
import { SelectionWalk } from '../../tool-guard/graphql/selections.ts';
import { ToolRefusal } from '../../tool-guard/tool-kit.ts';
import { judgeMutation, type MutationPolicy, type PlannedWrite } from './mutations.ts';
import { judgeQuery } from './queries.ts';
import { readPolicy } from './read-policy.ts';

/** What may be sent, and what must be looked up before. */
export interface AuthorisedRequest {
  readonly kind: 'query' | 'mutation';
  /** Canonical text of the operation. */
  readonly text: string;
  /** Names of the root fields, for the log. */
  readonly rootFields: readonly string[];
  readonly writes: readonly PlannedWrite[];
}

const MOST_ROOT_FIELDS = 10;

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
  if (roots.length > MOST_ROOT_FIELDS)
    throw new ToolRefusal('query_too_large', `Ask for at most ${MOST_ROOT_FIELDS} root fields at a time.`);
  const writes = judgeRoots(roots, operation, walk, issue, policy);
  return {
    kind: operation.kind,
    text: operation.text,
    rootFields: roots.map((root) => root.name.value),
    writes,
  };
}

function judgeRoots(
  roots: readonly FieldNode[],
  operation: ParsedOperation,
  walk: SelectionWalk,
  issue: Issue,
  policy: MutationPolicy,
): readonly PlannedWrite[] {
  return roots.flatMap((root) => {
    const name = root.name.value;
    if (name === '__typename') return [];
    const values = operation.argumentsOf(root);
    if (operation.kind === 'query') {
      if (name === '__schema' || name === '__type') walk.assertBounded(root, 2);
      else walk.assertReadable(root, judgeQuery(name, values, issue), 2);
      return [];
    }
    const { payload, write } = judgeMutation(name, values, issue, policy);
    walk.assertReadable(root, payload, 2);
    return [write];
  });
}
