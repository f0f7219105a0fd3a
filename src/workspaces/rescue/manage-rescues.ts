import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { type Layout, layoutOf } from '../files/layout.ts';
import { pathKind } from '../files/path-safety.ts';
import { createGit, type Git } from '../git/git.ts';
import { createLocks } from '../locks/locks.ts';
import { lastCopyCheck } from './last-copy.ts';
import type { RescueManifest } from './manifest.ts';
import { measureRescues } from './measure.ts';
import { deleteRescue, readRescues, withRescuesLock } from './rescue-files.ts';
import { type RestoreReport, restoreRescue } from './restore-rescue.ts';
import { planRetention, type Retention, type RetentionPlan, type SizedRescue } from './retention.ts';

/** The rescued work under a workspace root, for `aiops rescue`. */
export interface Rescues {
  /** Oldest first. */
  list(): Promise<SizedRescue[]>;
  /** By id, by a part of it, or by an issue's identifier. Throws `not_found` when none or several match. */
  find(name: string): Promise<SizedRescue>;
  /** Where a rescue's files are. */
  directoryOf(manifest: RescueManifest): Promise<string>;
  /** Puts a rescue's work into a new directory; the rescue stays. */
  restore(name: string, target: string, signal: AbortSignal): Promise<RestoreReport>;
  /** The rescues beyond a limit, and those kept all the same, as the last copies of commits. */
  expired(retention: Retention): Promise<RetentionPlan>;
  /** Deletes a rescue for good. */
  remove(manifest: RescueManifest): Promise<void>;
}

export interface RescuesOptions {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  now?(): number;
}

export function createRescues(options: RescuesOptions): Rescues {
  const git = createGit(options.environment);
  const locks = createLocks();
  const now = options.now ?? Date.now;
  const open = async (): Promise<Layout> => layoutOf(await realpath(options.root).catch(() => options.root));

  async function list(): Promise<SizedRescue[]> {
    const layout = await open();
    return measureRescues(layout, await readRescues(layout));
  }

  async function find(name: string): Promise<SizedRescue> {
    return pickOne(await list(), name);
  }

  return {
    list,
    find,
    directoryOf: async (manifest) => join((await open()).rescue, manifest.id),
    async restore(name, target, signal) {
      const layout = await open();
      const { manifest } = await find(name);
      return restoreRescue({ git, directory: join(layout.rescue, manifest.id), manifest, target, signal });
    },
    async expired(retention) {
      const layout = await open();
      return planRetention(await list(), retention, now(), lastCopyCheck(git, layout));
    },
    async remove(manifest) {
      const layout = await open();
      const never = new AbortController().signal;
      await withRescuesLock(locks, layout, never, () => dropRescue(git, layout, manifest));
    },
  };
}

/** Deletes a rescue and its refs in the mirror. */
export async function dropRescue(git: Git, layout: Layout, manifest: RescueManifest): Promise<void> {
  const mirrors = new Set(manifest.parts.flatMap(({ mirror }) => mirror ?? []));
  for (const mirror of mirrors) {
    if ((await pathKind(mirror)) !== 'directory') continue;
    const call = { cwd: mirror, action: 'forgetting a rescue in the mirror' };
    const names = await git.attempt(
      ['for-each-ref', '--format=delete %(refname)', `refs/aiops/rescue/${manifest.id}`],
      call,
    );
    if (names.stdout !== '') await git.attempt(['update-ref', '--stdin'], { ...call, input: names.stdout });
  }
  await deleteRescue(layout, manifest.id);
}

function pickOne(rescues: readonly SizedRescue[], name: string): SizedRescue {
  const exact = rescues.filter(({ manifest }) => manifest.id === name);
  const byIssue = rescues.filter(({ manifest }) => manifest.identifier === name || manifest.key === name);
  const byPart = name === '' ? [] : rescues.filter(({ manifest }) => manifest.id.includes(name));
  const matches = [exact, byIssue, byPart].find((candidates) => candidates.length > 0) ?? [];
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  if (first === undefined) {
    throw new AppError('not_found', `there is no rescue ${JSON.stringify(name)}`, {
      hint: 'Run `aiops rescue list` to see what was saved.',
    });
  }
  const ids = matches.map(({ manifest }) => manifest.id).join(', ');
  throw new AppError('usage', `${JSON.stringify(name)} names ${matches.length} rescues: ${ids}`, {
    hint: 'Give the whole id of one of them.',
  });
}
