import { type FieldNode, Kind, type SelectionNode } from 'graphql';
import { ToolRefusal } from '../../../../tools/tool-kit.ts';
import { assertKnownDirectives, type ParsedOperation } from './document.ts';

/** What may be read, by type: each field is a leaf or leads to another type. What is not named is refused. */
export interface ReadPolicy {
  readonly readable: Readonly<Record<string, Readonly<Record<string, 'leaf' | (string & {})>>>>;
  /** What the provider calls a type of the policy, where fragments name it. */
  nameOf(type: string): string;
}

/** The same types without some of their fields. */
export function withoutFields(
  readable: ReadPolicy['readable'],
  fields: Readonly<Record<string, readonly string[]>>,
): ReadPolicy['readable'] {
  const fewer = Object.entries(fields).map(([type, left]) => {
    const kept = Object.entries(readable[type] ?? {}).filter(([name]) => !left.includes(name));
    return [type, Object.fromEntries(kept)] as const;
  });
  return { ...readable, ...Object.fromEntries(fewer) };
}

const MAX_FIELDS = 1500;
const MAX_DEPTH = 15;
const PAGE_ARGUMENTS = new Set(['first', 'last', 'after', 'before', 'orderBy', 'includeArchived']);

/** Walks selections through inline fragments and spreads, whatever they are called, and counts what it meets. */
export class SelectionWalk {
  readonly #operation: ParsedOperation;
  readonly #policy: ReadPolicy;
  #fields = 0;

  constructor(operation: ParsedOperation, policy: ReadPolicy) {
    this.#operation = operation;
    this.#policy = policy;
  }

  /** Every field selected on a type, fragments resolved. */
  fieldsOf(selections: readonly SelectionNode[], typeName: string, depth: number): readonly FieldNode[] {
    if (depth > MAX_DEPTH)
      throw new ToolRefusal('query_too_deep', `The query is nested deeper than ${MAX_DEPTH} levels.`);
    return selections.flatMap((selection) => {
      this.#fields += 1;
      if (this.#fields > MAX_FIELDS)
        throw new ToolRefusal('query_too_large', `The query selects more than ${MAX_FIELDS} fields.`);
      assertKnownDirectives(selection.directives);
      if (selection.kind === Kind.FIELD) return [selection];
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : this.#operation.fragments.get(selection.name.value);
      if (fragment === undefined)
        throw new ToolRefusal('invalid_query', 'The query uses a fragment it does not have.');
      const condition = fragment.typeCondition?.name.value ?? typeName;
      if (condition !== typeName)
        throw new ToolRefusal(
          'fragment_not_allowed',
          `A fragment on ${condition} cannot be used on ${typeName}.`,
        );
      return this.fieldsOf(fragment.selectionSet.selections, typeName, depth + 1);
    });
  }

  /**
   * Refuses every field below that an agent may not read. The guard believes answers of mutations by the names of
   * their fields, so that there no field may be called like another.
   */
  assertReadable(field: FieldNode, type: string, depth: number, { aliases = true } = {}): void {
    const readable = this.#policy.readable[type] ?? {};
    const typeName = this.#policy.nameOf(type);
    for (const inner of this.fieldsOf(field.selectionSet?.selections ?? [], typeName, depth)) {
      const name = inner.name.value;
      if (!aliases && inner.alias !== undefined && inner.alias.value !== name) {
        throw new ToolRefusal(
          'alias_not_allowed',
          `In the answer of a mutation ${typeName}.${name} cannot be renamed.`,
        );
      }
      if (name === '__typename') continue;
      const next = Object.hasOwn(readable, name) ? readable[name] : undefined;
      if (next === undefined) {
        throw new ToolRefusal(
          'field_not_allowed',
          `${typeName}.${name} is not available here. Readable: ${Object.keys(readable).join(', ')}.`,
        );
      }
      for (const argument of this.#operation.argumentsOf(inner).keys()) {
        if (!PAGE_ARGUMENTS.has(argument))
          throw new ToolRefusal('argument_not_allowed', `${name} does not take ${argument} here.`);
      }
      if (next !== 'leaf') this.assertReadable(inner, next, depth + 1, { aliases });
      else if (inner.selectionSet !== undefined)
        throw new ToolRefusal('field_not_allowed', `${typeName}.${name} has no fields.`);
    }
  }

  /** Introspection describes the public schema: anything in it may be read, within the limits of size. */
  assertBounded(field: FieldNode, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new ToolRefusal('query_too_deep', `The query is nested deeper than ${MAX_DEPTH} levels.`);
    for (const selection of field.selectionSet?.selections ?? []) {
      this.#fields += 1;
      if (this.#fields > MAX_FIELDS || selection.kind !== Kind.FIELD)
        throw new ToolRefusal('query_too_large', 'Write the introspection without fragments, and shorter.');
      this.assertBounded(selection, depth + 1);
    }
  }
}
