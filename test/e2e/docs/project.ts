import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { CLI } from '../cli/cli.ts';
import type { Fixture } from '../cli/fixture.ts';
import { git } from '../cli/git.ts';
import { waitFor } from '../cli/wait.ts';
import { openShell, type TestTerminal } from '../tui/tmux.ts';

/** A fixture in which people type: `aiops` is on the PATH, and what the documentation speaks of is there. */
export interface Project {
  /** Runs a command line as a shell does; what stands for this very project is filled in. */
  type(text: string): Promise<Typed>;
  /** Starts one that goes on, waits until it has printed a text, and interrupts it. */
  typeUntil(text: string, until: string): Promise<Typed>;
  /** The same in a terminal of its own. */
  typeInTerminal(text: string): TestTerminal;
}

export interface Typed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What nobody can know beforehand: an id, an address, where a project lies. */
export type Substitutes = Readonly<Record<string, string>>;

/** Where people type, seen from the fixture, and what their shell has set. */
interface Place {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 4 * 60_000;

export async function openProject(
  fixture: Fixture,
  substitutes: Substitutes = {},
  { folder = '.', env: more = {} }: Place = {},
): Promise<Project> {
  const env = { ...(await prepare(fixture)), ...more };
  const fill = (text: string): string =>
    Object.entries(substitutes).reduce((filled, [from, to]) => filled.replaceAll(from, to), text);
  const start = (text: string) => startShell(fill(text), resolve(fixture.directory, folder), env);
  return {
    async type(text) {
      const shell = start(text);
      const timer = setTimeout(() => shell.signal('SIGKILL'), PATIENCE_MS);
      const typed = await shell.ended;
      clearTimeout(timer);
      return typed;
    },
    async typeUntil(text, until) {
      const shell = start(text);
      await waitFor(`${text} prints ${until}`, () => shell.printed().includes(until), {
        describe: shell.printed,
        withinMs: PATIENCE_MS,
      });
      shell.signal('SIGINT');
      return shell.ended;
    },
    typeInTerminal: (text) => openShell({ ...fixture, env }, fill(text)),
  };
}

/** A group of its own, so that an interrupt reaches what the shell has started, as the terminal's does. */
function startShell(text: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['--norc', '-c', text], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    out += more;
  });
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    err += more;
  });
  const ended = new Promise<Typed>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
  return {
    ended,
    /** Also what it logs to the file that the documentation names. */
    printed: () => `${out}${err}${text.includes('--log-file') ? logOf(cwd) : ''}`,
    signal: (name: NodeJS.Signals) => void process.kill(-(child.pid ?? 0), name),
  };
}

function logOf(folder: string): string {
  const path = join(folder, 'worker.log');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function prepare(fixture: Fixture): Promise<Readonly<Record<string, string>>> {
  const { directory } = fixture;
  const bin = join(directory, 'bin');
  await mkdir(bin, { recursive: true });
  await program(bin, 'aiops', `exec "${process.execPath}" "${CLI}" "$@"`);
  await program(bin, 'xdg-open', 'exit 0');
  await program(bin, 'code', 'exit 0');
  await program(bin, 'codex', 'echo codex-cli 0.166.0');
  const home = fixture.env['HOME'] ?? directory;
  await writeFile(
    join(home, '.gitconfig'),
    '[user]\n\tname = Somebody\n\temail = somebody@example.invalid\n',
  );
  return { ...fixture.env, PATH: `${bin}:${fixture.env['PATH']}`, EDITOR: 'true' };
}

async function program(bin: string, name: string, body: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(bin, name), 0o755);
}

/** Other workflows, files to read from, a repository around it. */
export async function furnish(fixture: Fixture): Promise<void> {
  const { directory } = fixture;
  const home = fixture.env['HOME'] ?? directory;
  for (const place of ['team', 'path/to'])
    await cp(fixture.workflowPath, join(await folder(directory, place), 'WORKFLOW.md')).then(() =>
      mkdir(join(directory, place, 'issues'), { recursive: true }),
    );
  await mkdir(join(directory, 'my-project'));
  await mkdir(join(home, '.config/fish/completions'), { recursive: true });
  await writeFile(join(directory, 'review.md'), 'Looks good.\n');
  await writeFile(join(directory, 'answer.md'), 'The second.\n');
  git(directory, 'init', '-q', '-b', 'main');
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Begin');
}

async function folder(root: string, name: string): Promise<string> {
  await mkdir(join(root, name), { recursive: true });
  return join(root, name);
}

/** TASK-1 and ENG-1 have had a run each, whose commits were rescued; gives the id of a run. */
export async function haveHistory(fixture: Fixture, project: Project): Promise<string> {
  for (const id of ['TASK-1', 'ENG-1'])
    await fixture.writeIssue(id, { mock: { behaviour: 'crash', when: 'after_commit' } });
  await project.type('aiops worker --once');
  for (const id of ['TASK-1', 'ENG-1']) await fixture.moveIssue(id, 'Done');
  await project.type('aiops worker --once');
  await fixture.writeIssue('TASK-1');
  const { out } = await project.type('aiops runs --issue TASK-1 --json');
  const runs = JSON.parse(out) as { runs: readonly { readonly run_id: string }[] };
  const [run] = runs.runs;
  expect(run).toBeDefined();
  return run?.run_id ?? '';
}
