import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { isDiskFull } from '../files/disk-space.ts';
import { pathKind, readRegularFile, replaceFile } from '../files/path-safety.ts';
import { lastGitMessage } from '../git/errors.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import { findUnreadable } from './object-files.ts';
import { ANOTHER_REPOSITORY, comparePacks } from './pack-record.ts';
import { type MirrorJob, mirrorConfig } from './repository.ts';

/** Longer than a check of any repository that agents are given; half of what others wait for the mirror's lock. */
const CHECK_TIMEOUT_MS = 10 * 60_000;

/** `connected`: every object that is needed is there. `readable`: and all are as they were written. */
export type CheckDepth = 'connected' | 'readable';

/** Finds out whether a mirror can be trusted, cheaply as long as nothing speaks against it. */
export interface DamageFinder {
  /** Looks, without a git process where a mirror is as it was left. What is wrong; null when nothing seems to be. */
  look(job: MirrorJob): Promise<string | null>;
  /** Reads all of it, once for each state of the mirror. What is wrong; null when nothing is. */
  check(job: MirrorJob, depth: CheckDepth): Promise<string | null>;
  /** A mirror that was just cloned is not checked as long as it stays as it is: another clone would be no better. */
  trust(job: MirrorJob): Promise<void>;
}

export function createDamageFinder(): DamageFinder {
  /** The states in which mirrors passed, by path and depth. */
  const passed = new Map<string, string>();

  async function check(job: MirrorJob, depth: CheckDepth): Promise<string | null> {
    const finding = await comparePacks(job.path, repositoryIdentity(job.url));
    if (finding.kind === 'damaged') return finding.reason;
    const state = finding.kind === 'as_recorded' ? finding.state : null;
    const key = `${depth} ${job.path}`;
    if (state !== null && passed.get(key) === state) return null;
    const reason = (await askGit(job)) ?? (depth === 'readable' ? await findUnreadable(job.path) : null);
    if (reason === null && state !== null) passed.set(key, state);
    return reason;
  }

  return {
    check: (job, depth) => namingWhatStops(() => check(job, depth)),
    look: (job) =>
      namingWhatStops(async () => {
        if (!(await stat(job.path)).isDirectory()) return 'it is no folder';
        const finding = await comparePacks(job.path, repositoryIdentity(job.url));
        if (finding.kind === 'damaged') return finding.reason;
        if (finding.kind === 'unknown' && (await isOfAnother(job))) return ANOTHER_REPOSITORY;
        const borrows = await dropAlternates(job);
        await restoreSkeleton(job);
        return finding.kind === 'unknown' || borrows ? askGit(job) : null;
      }),
    async trust(job) {
      const finding = await comparePacks(job.path, repositoryIdentity(job.url));
      if (finding.kind !== 'as_recorded') return;
      for (const depth of ['connected', 'readable']) passed.set(`${depth} ${job.path}`, finding.state);
    },
  };
}

/** What cannot be looked at is damaged, unless the disk is full. */
async function namingWhatStops(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look();
  } catch (error) {
    if (isDiskFull(messageOf(error)) || error instanceof AppError) throw error;
    if (error instanceof Error && 'code' in error) return messageOf(error);
    throw error;
  }
}

/** Whether every object that a ref needs is there. Their content is none of our business: old ones can be odd. */
async function askGit(job: MirrorJob): Promise<string | null> {
  const { git, path, signal } = job;
  job.onProgress('checking the mirror');
  const flags = ['--connectivity-only', '--no-dangling', '--no-reflogs', '--no-progress'];
  const call = { cwd: path, action: `checking the mirror ${path}`, signal, timeoutMs: CHECK_TIMEOUT_MS };
  const result = await git.attempt(['fsck', ...flags], call).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.context['outcome'] !== 'timed_out') throw error;
    job.logger.warn('a mirror is too large to be checked; it is taken as it is', { mirror: path });
    return null;
  });
  if (result === null || result.code === 0) return null;
  const message = lastGitMessage(result.stderr);
  return message === '' ? (result.stdout.split('\n')[0] ?? 'git finds it broken') : message;
}

/** True for a configuration that names a remote, but not this one, or that no mirror ever had. */
async function isOfAnother({ path, url }: MirrorJob): Promise<boolean> {
  const config = (await readRegularFile(join(path, 'config'))) ?? '';
  if (!/^\s*\[core\]/m.test(config)) return false;
  const named = /^\s*url = "?([^"\n]*)"?$/m.exec(config)?.[1];
  return named === undefined || repositoryIdentity(named) !== repositoryIdentity(url);
}

/** A mirror holds its objects itself. True when it said otherwise. */
async function dropAlternates({ path }: MirrorJob): Promise<boolean> {
  const alternates = join(path, 'objects', 'info', 'alternates');
  if ((await pathKind(alternates)) === 'missing') return false;
  await rm(alternates, { recursive: true });
  return true;
}

/** Puts back the parts of a repository that say nothing about its content; without them git does not see it. */
async function restoreSkeleton(job: MirrorJob): Promise<void> {
  const { path, logger } = job;
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads'])
    await mkdir(join(path, folder), { recursive: true });
  const head = (await readRegularFile(join(path, 'HEAD'))) ?? '';
  if (!/^ref: refs\/heads\/\S+\n$/.test(head)) {
    await replaceFile(join(path, 'HEAD'), 'ref: refs/heads/main\n');
    logger.warn('put back the HEAD of a mirror', { mirror: path });
  }
  const wanted = mirrorConfig(job);
  if ((await readRegularFile(join(path, 'config'))) !== wanted)
    await replaceFile(join(path, 'config'), wanted);
}
