import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rescues } from '../../src/workspaces/rescue/manage-rescues.ts';

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
    const fetch = (from: string, to: string): string =>
      git(
        collector,
        'fetch',
        '--quiet',
        '--no-tags',
        '--force',
        join(directory, from),
        `refs/*:refs/${to}/${id}/*`,
      );
    for (const { bundle, history, mirror } of manifest.parts) {
      if (mirror !== null && history === null) throw new Error(`rescue ${id} cannot stand alone`);
      if (history !== null) fetch(history, 'history');
      fetch(bundle, 'rescue');
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
    // History it borrowed is gone, e.g. with a deleted mirror; its own objects are still there.
    for (const name of ownBlobs(git, path)) names.add(name);
  }
  return names;
}

/** A change's file holds its own name, so it can be recognised without a tree that leads to it. */
function ownBlobs(git: Git, path: string): string[] {
  const format = '--batch=%(objecttype)';
  const contents = git(path, 'cat-file', '--batch-all-objects', '--unordered', format);
  return contents.split('\n').filter((line) => /^\d+-\d+\.txt$/.test(line));
}

function collect(listing: string, names: Set<string>): void {
  for (const line of listing.split('\n')) {
    if (line.startsWith('changes/')) names.add(line.slice('changes/'.length));
  }
}
