import type { FieldNode } from 'graphql';
import { ToolRefusal } from '../../../../tools/tool-kit.ts';
import { type ParsedOperation, parseOperation } from './document.ts';
import { type ReadPolicy, SelectionWalk } from './selections.ts';
import type { Values } from './values.ts';

/** What may be sent, and what must be looked up before. */
export interface AuthorisedOperation<Write> {
  readonly kind: 'query' | 'mutation';
  /** The parsed request, printed again. */
  readonly text: string;
  readonly rootFields: readonly string[];
  readonly writes: readonly AnsweredWrite<Write>[];
}

/** A write, and the key under which the answer says that it happened; a directive may have left it out. */
export interface AnsweredWrite<Write> {
  readonly answerKey: string;
  readonly write: Write;
}

/** How one provider's root fields are judged; each throws a ToolRefusal for what is not permitted. */
export interface Judges<Write> {
  readonly readable: ReadPolicy;
  /** The type the root field leads to. */
  query(name: string, values: Values): string;
  mutation(name: string, values: Values): { readonly payload: string; readonly write: Write };
}

const MAX_ROOT_FIELDS = 10;

/** Reads the whole request; throws a ToolRefusal unless every part of it is permitted. */
export function authoriseOperation<Write>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  judges: Judges<Write>,
): AuthorisedOperation<Write> {
  const operation = parseOperation(query, variables);
  const walk = new SelectionWalk(operation, judges.readable);
  const roots = walk.fieldsOf(operation.selections, operation.kind === 'query' ? 'Query' : 'Mutation', 1);
  if (roots.length > MAX_ROOT_FIELDS)
    throw new ToolRefusal('query_too_large', `Ask for at most ${MAX_ROOT_FIELDS} root fields at a time.`);
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
): readonly AnsweredWrite<Write>[] {
  if (operation.kind === 'mutation') assertDistinctKeys(roots);
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
    walk.assertReadable(root, payload, 2, { aliases: false });
    return [{ answerKey: answerKeyOf(root), write }];
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
