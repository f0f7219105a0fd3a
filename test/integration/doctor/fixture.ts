import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CliResult, runInProcess } from '../../fakes/in-process-cli.ts';

export interface Found {
  readonly id: string;
  readonly status: string;
  readonly text: string;
  readonly fix: string | null;
}

export interface Fixture {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  write(frontMatter: string): void;
  aiops(...args: string[]): Promise<CliResult>;
  doctor(...args: string[]): Promise<CliResult>;
  /** The findings, by id. */
  findings(...args: string[]): Promise<{ code: number; by: Readonly<Record<string, Found>> }>;
  addProgram(name: string, script: string): string;
}

/** A folder of issues, and no port. */
export const LOCAL = 'tracker: {kind: local, path: issues}\nserver: {port: -1}';

/** A home, a folder of issues and a workflow, for `aiops doctor` and its neighbours. */
export async function openFixture(
  environment: Readonly<Record<string, string>> = {},
  interactive = false,
): Promise<Fixture> {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'aiops-doctor-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['home', 'home/tools', 'issues', 'root']) mkdirSync(join(folder, name), { mode: 0o700 });
  // A login shell of root sets PATH anew.
  writeFileSync(join(folder, 'home', '.bash_profile'), 'export PATH="$HOME/tools:$PATH"\n');
  const env = {
    PATH: [join(folder, 'home', 'tools'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: join(folder, 'home'),
    ...environment,
  };
  const aiops: Fixture['aiops'] = (...args) =>
    runInProcess(args, { environment: env, cwd: folder, interactive });
  const doctor: Fixture['doctor'] = (...args) => aiops('doctor', ...args);
  return {
    folder,
    environment: env,
    aiops,
    write: (frontMatter) =>
      writeFileSync(
        join(folder, 'WORKFLOW.md'),
        `---\n${frontMatter}\nworkspace: {root: root, mirror_root: mirrors, min_free_mb: 1}\n---\nDo {{ issue.title }}.\n`,
      ),
    doctor,
    async findings(...args) {
      const { code, out } = await doctor('--json', ...args);
      const { checks }: { checks: Found[] } = JSON.parse(out);
      return { code, by: Object.fromEntries(checks.map((check) => [check.id, check])) };
    },
    addProgram(name, script) {
      const path = join(folder, 'home', 'tools', name);
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
      return path;
    },
  };
}

/** A bare repository with a first commit. */
export function createRemote(folder: string): string {
  const remote = join(folder, 'remote.git');
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '--bare', '-b', 'main', remote);
  git('init', '-q', '-b', 'main', 'seed');
  git(
    '-C',
    'seed',
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@x.invalid',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'A',
  );
  git('-C', 'seed', 'push', '-q', remote, 'main');
  return remote;
}
