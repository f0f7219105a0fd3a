import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait.ts';

export const CLI = fileURLToPath(new URL('../../../dist/program/aiops.js', import.meta.url));

export interface CliExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built command line in a process of its own, its output collected. */
export interface CliProcess {
  readonly pid: number;
  readonly exited: Promise<CliExit>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when standard output holds this text. */
  printed(text: string): Promise<void>;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  onErrorText?(text: string): void;
}

export function startCli(args: readonly string[], options: CliOptions): CliProcess {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    options.onErrorText?.(text);
  });
  const exited = exitOf(child);
  return {
    pid: child.pid ?? 0,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    async printed(text) {
      const ended = exited.then(() => true);
      const look = async (): Promise<boolean> => {
        if (stdout.includes(text)) return true;
        if (await Promise.race([ended, Promise.resolve(false)])) throw new Error(`ended without "${text}"`);
        return false;
      };
      await waitFor(`"${text}" is printed`, look, {
        withinMs: 60_000,
        describe: () => `stdout: ${stdout}\nstderr: ${stderr}`,
      });
    },
  };
}

/** `close` rather than `exit`: by then all output has been read. */
function exitOf(child: ChildProcess): Promise<CliExit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

export interface CliResult extends CliExit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that is expected to end by itself. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const running = startCli(args, options);
  const timer = setTimeout(() => running.kill('SIGKILL'), 20_000);
  const exit = await running.exited;
  clearTimeout(timer);
  return { ...exit, stdout: running.stdout(), stderr: running.stderr() };
}
