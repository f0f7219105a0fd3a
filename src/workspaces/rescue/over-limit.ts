import { realpath } from 'node:fs/promises';
import { layoutOf } from '../files/layout.ts';
import type { RescueManifest } from './manifest.ts';
import { readRescues } from './rescue-files.ts';

export interface KeptRescue {
  readonly id: string;
  readonly identifier: string;
  readonly dropCommand: string;
}

/** The rescues that are kept beyond the limits, for somebody who only looks: nothing is created. */
export async function readKeptRescues(root: string): Promise<readonly KeptRescue[]> {
  const layout = layoutOf(await realpath(root).catch(() => root));
  const kept = (await readRescues(layout)).filter(({ overLimit }) => overLimit);
  return kept.map((manifest) => ({
    id: manifest.id,
    identifier: manifest.identifier,
    dropCommand: dropCommand(manifest),
  }));
}

/** What a person runs to let a rescue go. */
export function dropCommand({ id }: Pick<RescueManifest, 'id'>): string {
  return `aiops rescue prune ${id} --yes`;
}
