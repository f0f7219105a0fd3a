import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/cli/run-cli.ts';
import { waitFor } from '../../e2e/cli/wait.ts';

export interface InitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder of somebody who has a home without anything, git, and no agent. */
export interface InitFixture {
  readonly folder: string;
  readonly home: string;
  readonly environment: Record<string, string>;
  git(...args: string[]): string;
  /** A repository in the folder, with one commit. */
  makeRepository(): void;
  /** Puts a program on the PATH: a shell script. */
  addProgram(name: string, script: string): void;
  init(...args: string[]): Promise<InitResult>;
  /** The same with a person at a terminal, who answers each question in turn; the answers are what they type. */
  answer(
    args: readonly string[],
    answers: readonly (readonly [question: string, typed: string])[],
  ): Promise<InitResult>;
}

export function openInitFixture(): InitFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-init-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, home, bin] = [join(root, 'project'), join(root, 'home'), join(root, 'bin')];
  for (const path of [folder, home, bin]) mkdirSync(path);
  const environment: Record<string, string> = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: root,
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@x.invalid', ...args], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
  const run = async (
    args: readonly string[],
    terminal: { input: PassThrough; output: PassThrough } | null,
  ): Promise<InitResult> => {
    const printed = { stdout: '', stderr: '' };
    const code = await runCli(['init', ...args], {
      stdout: (text) => {
        printed.stdout += text;
      },
      stderr: (text) => {
        printed.stderr += text;
      },
      stdin: async () => '',
      environment,
      cwd: folder,
      interactive: false,
      terminal,
    });
    return { code, ...printed };
  };
  return {
    folder,
    home,
    environment,
    git,
    makeRepository() {
      git('init', '--quiet', '--initial-branch=main');
      git('commit', '--quiet', '--allow-empty', '--message=Begin');
    },
    addProgram(name, script) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    },
    init: (...args) => run(args, null),
    async answer(args, answers) {
      const terminal = { input: new PassThrough(), output: new PassThrough() };
      let screen = '';
      terminal.output.on('data', (chunk: Buffer) => {
        screen += chunk.toString('utf8');
      });
      const result = run(args, terminal);
      let ended = false;
      void result.finally(() => {
        ended = true;
      });
      for (const [question, typed] of answers) {
        await waitFor(
          `the question "${question}"`,
          () => (screen.includes(question) || ended ? true : null),
          {
            withinMs: 20_000,
            describe: () => screen,
          },
        );
        if (ended) throw new Error(`ended before "${question}": ${JSON.stringify(await result)}`);
        screen = '';
        terminal.input.write(typed);
      }
      return result;
    },
  };
}

export const ENTER = '\r';
export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';
