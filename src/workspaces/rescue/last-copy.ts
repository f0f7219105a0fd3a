import { join } from 'node:path';
import type { Layout } from '../files/layout.ts';
import { pathKind, readRegularFile } from '../files/path-safety.ts';
import type { Git } from '../git/git.ts';
import { readRefFiles } from '../git/read-ref-files.ts';
import type { RescueManifest } from './manifest.ts';
import type { IsLastCopy, SizedRescue } from './retention.ts';

/** Commits that a rescue holds, and the mirror that knows which of them the remote has. */
interface Held {
  readonly tips: readonly string[];
  readonly mirror: string | null;
}

/**
 * Tells whether a rescue holds a commit that neither the remote, as the mirror knows it, nor a newer rescue has; it also does
 * when that cannot be found out. Uncommitted files are no commits: those go with age and size.
 */
export function lastCopyCheck(git: Git, layout: Layout): IsLastCopy {
  return async ({ manifest }, newer) => {
    const held = await commitsOf(layout, manifest);
    if (held === null) return true;
    const others = await Promise.all(newer.map((other) => commitsOf(layout, other.manifest)));
    const elsewhere = new Set(others.flatMap((other) => other?.flatMap(({ tips }) => tips) ?? []));
    for (const { tips, mirror } of held) {
      const left = tips.filter((tip) => !elsewhere.has(tip));
      if (left.length === 0) continue;
      if (mirror === null || !(await mirrorHas(git, mirror, left, newer))) return true;
    }
    return false;
  };
}

/** Null when a rescue cannot be read. */
async function commitsOf(layout: Layout, manifest: RescueManifest): Promise<Held[] | null> {
  if (manifest.directory !== null) {
    const git = join(layout.rescue, manifest.id, manifest.directory, '.git');
    const kind = await pathKind(git);
    if (kind === 'missing') return [];
    const refs = kind === 'directory' ? await readRefFiles(git, ['refs/heads', 'refs/stash']) : null;
    if (refs === null || refs.size === 0) return null;
    const head = ((await readRegularFile(join(git, 'HEAD')).catch(() => null)) ?? '').trim();
    const detached = /^[0-9a-f]{40,64}$/.test(head) ? [head] : [];
    return [{ tips: [...new Set([...refs.values(), ...detached])], mirror: manifest.mirror }];
  }
  return manifest.parts
    .filter(({ unpushedCommits }) => unpushedCommits > 0)
    .map(({ refs, mirror }) => ({
      tips: refs.filter(({ name }) => !isUncommitted(name)).map(({ commit }) => commit),
      mirror,
    }));
}

function isUncommitted(name: string): boolean {
  return name === 'refs/rescue/worktree' || name === 'refs/rescue/index';
}

/** Whether branches and tags of the remote, or what newer rescues keep in the mirror, reach all of some commits. */
async function mirrorHas(
  git: Git,
  mirror: string,
  tips: readonly string[],
  newer: readonly SizedRescue[],
): Promise<boolean> {
  if ((await pathKind(mirror)) !== 'directory') return false;
  const kept = newer.map(({ manifest }) => `--glob=refs/aiops/rescue/${manifest.id}/*`);
  const known = ['--not', '--remotes=origin', '--tags', ...kept];
  const result = await git.attempt(['rev-list', '--max-count=1', ...tips, ...known], {
    cwd: mirror,
    action: 'looking for rescued commits in the mirror',
  });
  return result.code === 0 && result.stdout.trim() === '';
}
