import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Points of an operation by Linear's published rule: 0.1 a field, 1 an object, a connection times its page size. */
export function complexityOf(schema: GraphQLSchema, document: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) operation = definition;
  }
  if (operation === undefined) return 0;

  function pointsOf(selectionSet: SelectionSetNode | undefined, type: GraphQLObjectType): number {
    let points = 0;
    for (const selection of selectionSet?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        points += pointsOf(fragments.get(selection.name.value)?.selectionSet, type);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) points += pointsOf(selection.selectionSet, type);
      else points += fieldPoints(selection, type);
    }
    return points;
  }

  function fieldPoints(field: FieldNode, type: GraphQLObjectType): number {
    const definition = type.getFields()[field.name.value];
    const target = definition === undefined ? undefined : getNamedType(definition.type);
    if (!isObjectType(target)) return 0.1;
    const inner = pointsOf(field.selectionSet, target);
    return target.name.endsWith('Connection') ? 1 + inner * pageSize(field) : 1 + inner;
  }

  const root = schema.getRootType(operation.operation);
  return root == null ? 0 : pointsOf(operation.selectionSet, root);
}

function pageSize(field: FieldNode): number {
  for (const { name, value } of field.arguments ?? []) {
    if ((name.value === 'first' || name.value === 'last') && value.kind === Kind.INT)
      return Number(value.value);
  }
  return 50;
}
