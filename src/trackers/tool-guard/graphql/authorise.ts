import type { FieldNode } from 'graphql';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { type ParsedOperation, parseOperation } from './document.ts';
import { type ReadPolicy, SelectionWalk } from './selections.ts';
import type { Values } from './values.ts';

/** What may be sent, and what must be looked up before. */
export interface AuthorisedOperation<Write> {
  readonly kind: 'query' | 'mutation';
  /** The parsed request, printed again. */
  readonly text: string;
  readonly rootFields: readonly string[];
  readonly writes: readonly Write[];
}

/** How one provider's root fields are judged; each throws a ToolRefusal for what is not permitted. */
export interface Judges<Write> {
  readonly readable: ReadPolicy;
  /** The type the root field leads to. */
  query(name: string, values: Values): string;
  mutation(name: string, values: Values): { readonly payload: string; readonly write: Write };
}

const MOST_ROOT_FIELDS = 10;

/** Reads the whole request; throws a ToolRefusal unless every part of it is permitted. */
export function authoriseOperation<Write>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  judges: Judges<Write>,
): AuthorisedOperation<Write> {
  const operation = parseOperation(query, variables);
  const walk = new SelectionWalk(operation, judges.readable);
  const roots = walk.fieldsOf(operation.selections, operation.kind === 'query' ? 'Query' : 'Mutation', 1);
  if (roots.length > MOST_ROOT_FIELDS)
    throw new ToolRefusal('query_too_large', `Ask for at most ${MOST_ROOT_FIELDS} root fields at a time.`);
  const writes = judgeRoots(roots, operation, walk, judges);
  return {
    kind: operation.kind,
    text: operation.text,
    rootFields: roots.map((root) => root.name.value),
    writes,
  };
}

function judgeRoots<Write>(
  roots: readonly FieldNode[],
  operation: ParsedOperation,
  walk: SelectionWalk,
  judges: Judges<Write>,
): readonly Write[] {
  return roots.flatMap((root) => {
    const name = root.name.value;
    if (name === '__typename') return [];
    const values = operation.argumentsOf(root);
    if (operation.kind === 'query') {
      if (name === '__schema' || name === '__type') walk.assertBounded(root, 2);
      else walk.assertReadable(root, judges.query(name, values), 2);
      return [];
    }
    const { payload, write } = judges.mutation(name, values);
    walk.assertReadable(root, payload, 2);
    return [write];
  });
}
