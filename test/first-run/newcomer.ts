import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type CliResult, startCli } from '../e2e/cli/cli.ts';
import { git } from '../e2e/cli/git.ts';
import { listProcesses } from '../e2e/cli/processes.ts';

/** The check that the project of these tests has: it fails without the file that the issue asks for. */
export const VERIFY = 'sh check.sh';
export const VERIFIED = 'greeting-is-there';

/** Somebody with a machine, git and perhaps an agent, who has read the README and edits no file. */
export interface Newcomer {
  readonly folder: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** Puts an agent's program on the PATH, as its installer does. */
  install(name: string, program: string): void;
  aiops(...args: readonly string[]): Promise<CliResult>;
  /** `aiops init --yes …`, whose checks have to pass; gives what it printed. */
  init(...args: readonly string[]): Promise<string>;
  /** One round of the worker; gives the only run it had. */
  workOnce(): Promise<EndedRun>;
}

export interface EndedRun {
  readonly run_id: string;
  readonly issue_identifier: string;
  readonly outcome: string;
  readonly branch: string | null;
  readonly pushed: boolean | null;
  readonly pull_request_url: string | null;
  readonly state: string | null;
}

const COMMAND_MS = 150_000;

/** Not below the temporary folder: Codex lets its commands write there, and this must not be why something works. */
export function openNewcomer(): Newcomer {
  const parent = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'aiops-first-run');
  mkdirSync(parent, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parent, 'run-')));
  const [folder, home, bin] = [join(root, 'empty'), join(root, 'home'), join(root, 'bin')];
  for (const path of [folder, home, bin, join(root, 'tmp')]) mkdirSync(path);
  const env: Record<string, string> = {
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    TMPDIR: join(root, 'tmp'),
  };
  onTestFinished(() => {
    const left = listProcesses().filter(({ environment }) => environment.get('HOME') === home);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    expect(left.map(({ command }) => command)).toEqual([]);
  });
  const aiops = async (...args: readonly string[]): Promise<CliResult> => {
    const running = startCli(args, { cwd: folder, env });
    const timer = setTimeout(() => running.kill('SIGKILL'), COMMAND_MS);
    const exit = await running.exited;
    clearTimeout(timer);
    return { ...exit, stdout: running.stdout(), stderr: running.stderr() };
  };
  return {
    folder,
    home,
    env,
    aiops,
    install: (name, program) => symlinkSync(program, join(bin, name)),
    async init(...args) {
      const { code, stdout, stderr } = await aiops('init', '--yes', ...args);
      if (code !== 0) throw new Error(`aiops init: exit code ${code}\n${stdout}${stderr}`);
      return stdout;
    },
    async workOnce() {
      const { code, stdout, stderr } = await aiops('worker', '--once', '--json');
      if (code !== 0) throw new Error(`aiops worker: exit code ${code}\n${stdout}${stderr}`);
      const { runs, blocked } = JSON.parse(stdout);
      if (runs.length !== 1 || runs[0].outcome !== 'delivered')
        throw new Error(`${JSON.stringify({ runs, blocked }, null, 1)}\n${stderr}`);
      return runs[0];
    },
  };
}

/** A bare repository beside the empty folder, with a small project in it; gives its path as the newcomer would type it. */
export function makeRemote({ folder }: Pick<Newcomer, 'folder'>): {
  readonly typed: string;
  readonly path: string;
} {
  const root = dirname(folder);
  const path = join(root, 'project.git');
  git(root, 'init', '--quiet', '--bare', '--initial-branch=main', path);
  git(root, 'init', '--quiet', '--initial-branch=main', 'seed');
  fillProject(join(root, 'seed'));
  git(join(root, 'seed'), 'push', '--quiet', path, 'main');
  rmSync(join(root, 'seed'), { recursive: true });
  return { typed: '../project.git', path };
}

/** A first commit with something to check. */
export function fillProject(folder: string): void {
  writeFileSync(join(folder, 'README.md'), '# A small project\n');
  writeFileSync(join(folder, 'check.sh'), `test -s GREETING && echo ${VERIFIED}\n`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { test: VERIFY } }));
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=Begin');
}

/** Files of the agents' workspaces, wherever the worker keeps its state, that hold one of these texts. */
export function filesWith(home: string, secrets: readonly string[]): readonly string[] {
  if (!existsSync(home)) return [];
  const found = execFileSync('find', [home, '-type', 'f', '-size', '-2000k'], { encoding: 'utf8' });
  return found
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))
    .filter((path) => {
      const bytes = readFileSync(path);
      return secrets.some((secret) => bytes.includes(secret));
    });
}
