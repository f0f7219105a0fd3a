import type { ReadPolicy } from './selections.ts';

type Shape = ReadPolicy['readable'][string];

/** Fields that lead nowhere, by their names. */
export function leaves(names: string): Shape {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'leaf']));
}

/** The `…Connection` and `…Edge` of each type. */
export function connectionsOf(types: readonly string[]): ReadPolicy['readable'] {
  return Object.fromEntries(
    types.flatMap((type): [string, Shape][] => [
      [`${type}Connection`, { nodes: type, edges: `${type}Edge`, pageInfo: 'PageInfo' }],
      [`${type}Edge`, { node: type, cursor: 'leaf' }],
    ]),
  );
}
