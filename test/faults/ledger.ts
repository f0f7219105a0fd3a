import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rescues } from '../../src/workspaces/rescues.ts';

type Git = (cwd: string, ...args: string[]) => string;

/** Where every change a victim made can be: in a workspace, on the remote, in a rescue. */
export interface Ledger {
  /** The journalled changes that are nowhere to be found. */
  missing(): Promise<string[]>;
}

interface LedgerPlaces {
  readonly git: Git;
  readonly root: string;
  readonly remote: string;
  readonly mirrorRoot: string;
  readonly journal: string;
  /** A bare repository to unpack bundles in. */
  readonly collector: string;
  readonly rescues: Rescues;
}

export function createLedger(places: LedgerPlaces): Ledger {
  const { git, collector } = places;
  /** What a rescue was found to hold; rescues never change. */
  const held = new Map<string, Set<string>>();

  async function heldByRescues(): Promise<Set<string>> {
    const all = new Set<string>();
    for (const { manifest } of await places.rescues.list()) {
      const known = held.get(manifest.id) ?? (await unpack(manifest.id));
      held.set(manifest.id, known);
      for (const name of known) all.add(name);
    }
    return all;
  }

  async function unpack(id: string): Promise<Set<string>> {
    const { manifest } = await places.rescues.find(id);
    const directory = await places.rescues.directoryOf(manifest);
    if (manifest.directory !== null) return inWorkspace(git, join(directory, manifest.directory));
    const names = new Set<string>();
    for (const { bundle } of manifest.parts) {
      git(
        collector,
        'fetch',
        '--quiet',
        '--no-tags',
        '--force',
        join(directory, bundle),
        `refs/*:refs/rescue/${id}/*`,
      );
    }
    collect(git(collector, 'log', '--name-only', '-m', '--format=', `--glob=refs/rescue/${id}`), names);
    return names;
  }

  return {
    async missing() {
      const present = await heldByRescues();
      for (const name of onRemote(git, places.remote)) present.add(name);
      // What only the remote had is the remote's to lose.
      collect(git(collector, 'log', '--name-only', '-m', '--format=', '--glob=refs/rescue/deleted'), present);
      for (const entry of readdirSync(places.root)) {
        if (entry !== '.aiops')
          for (const name of inWorkspace(git, join(places.root, entry))) present.add(name);
      }
      const journalled = existsSync(places.journal) ? readFileSync(places.journal, 'utf8').split('\n') : [];
      return journalled.filter((name) => name !== '' && !present.has(name));
    },
  };
}

function onRemote(git: Git, remote: string): Set<string> {
  const names = new Set<string>();
  if (existsSync(remote)) collect(git(remote, 'log', '--name-only', '-m', '--format=', '--all'), names);
  return names;
}

function inWorkspace(git: Git, path: string): Set<string> {
  const changes = join(path, 'changes');
  const names = new Set(existsSync(changes) ? readdirSync(changes) : []);
  try {
    collect(git(path, 'log', '--name-only', '-m', '--format=', '--all', '--reflog'), names);
  } catch {
    // No readable repository; the files count all the same.
  }
  return names;
}

function collect(listing: string, names: Set<string>): void {
  for (const line of listing.split('\n')) {
    if (line.startsWith('changes/')) names.add(line.slice('changes/'.length));
  }
}
