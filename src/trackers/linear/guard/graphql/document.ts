import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { ToolRefusal } from '../../../../tools/tool-kit.ts';

/** One operation with its fragments, and the values its variables have. */
export interface ParsedOperation {
  readonly kind: 'query' | 'mutation';
  /** The operation in canonical form: this is what is sent. */
  readonly text: string;
  readonly selections: readonly SelectionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The values of a field's arguments. Twice the same argument or key is refused. */
  argumentsOf(field: FieldNode): ReadonlyMap<string, unknown>;
}

const MAX_TOKENS = 5000;

export function parseOperation(query: string, variables: Readonly<Record<string, unknown>>): ParsedOperation {
  const document = parseText(query);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION)
      throw new ToolRefusal('invalid_query', 'Only one operation and its fragments are accepted.');
    else if (fragments.has(definition.name.value))
      throw new ToolRefusal('invalid_query', `Two fragments are called ${definition.name.value}.`);
    else {
      assertKnownDirectives(definition.directives);
      fragments.set(definition.name.value, definition);
    }
  }
  const [operation, second] = operations;
  if (operation === undefined || second !== undefined)
    throw new ToolRefusal('one_operation', 'Send exactly one query or mutation per call.');
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw new ToolRefusal('subscription', 'Subscriptions are not available; send a query.');
  assertKnownDirectives(operation.directives);
  const values = variableValues(operation, variables);
  return {
    kind: operation.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query',
    text: print(document),
    selections: operation.selectionSet.selections,
    fragments,
    argumentsOf: (field) => evaluate(field.arguments ?? [], values, field.name.value),
  };
}

function parseText(query: string): ReturnType<typeof parse> {
  try {
    return parse(query, { noLocation: true, maxTokens: MAX_TOKENS });
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
    throw new ToolRefusal('invalid_query', `The query is not valid GraphQL: ${reason}`);
  }
}

/** A given value wins over a default, also when it is null. */
function variableValues(
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    if (name in values) throw new ToolRefusal('invalid_query', `The variable $${name} is declared twice.`);
    assertKnownDirectives(definition.directives);
    if (Object.hasOwn(given, name)) values[name] = given[name];
    else if (definition.defaultValue !== undefined) {
      assertUniqueKeys(definition.defaultValue);
      values[name] = valueFromASTUntyped(definition.defaultValue);
    } else values[name] = undefined;
  }
  return values;
}

function evaluate(
  argumentNodes: readonly ArgumentNode[],
  values: Record<string, unknown>,
  field: string,
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { name, value } of argumentNodes) {
    if (found.has(name.value))
      throw new ToolRefusal('invalid_query', `${field} has the argument ${name.value} twice.`);
    assertUniqueKeys(value);
    const result = valueFromASTUntyped(value, values);
    if (result !== undefined) found.set(name.value, result);
  }
  return found;
}

function assertUniqueKeys(value: ValueNode): void {
  if (value.kind === Kind.LIST) for (const entry of value.values) assertUniqueKeys(entry);
  if (value.kind !== Kind.OBJECT) return;
  const seen = new Set<string>();
  for (const { name, value: inner } of value.fields) {
    if (seen.has(name.value))
      throw new ToolRefusal('invalid_query', `The key ${name.value} is written twice.`);
    seen.add(name.value);
    assertUniqueKeys(inner);
  }
}

/** `@skip` and `@include` leave fields out; what they might leave out is judged all the same. */
export function assertKnownDirectives(directives: readonly DirectiveNode[] | undefined): void {
  for (const { name } of directives ?? []) {
    if (name.value !== 'skip' && name.value !== 'include')
      throw new ToolRefusal('directive_not_allowed', `The directive @${name.value} is not available.`);
  }
}
