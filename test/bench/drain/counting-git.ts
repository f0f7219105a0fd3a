import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CountingGit {
  /** To be put first on a PATH. */
  readonly folder: string;
  readonly log: string;
}

/** A `git` that writes down which of its commands is run, and becomes the real one. */
export function createCountingGit(base: string): CountingGit {
  const folder = join(base, 'bin');
  const log = join(base, 'git.log');
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = [
    '#!/bin/sh',
    'for word; do case "$word" in -*|*=*|/*) ;; *) break ;; esac; done',
    `printf '%s\\n' "$word" >>'${log}'`,
    `exec '${real}' "$@"`,
  ];
  writeFileSync(join(folder, 'git'), `${script.join('\n')}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return { folder, log };
}

/** How often each command was run, the most frequent first. */
export function countedGit({ log }: CountingGit): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [])
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
