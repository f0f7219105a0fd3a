import { spawn } from 'node:child_process';

export interface InteractiveOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a program that takes over the terminal, such as an editor, and waits for its end; Ctrl-C is its own. Resolves to its
 * exit code, null when a signal ended it; rejects when it cannot be started.
 */
export function runInteractive({ command, args, cwd, env }: InteractiveOptions): Promise<number | null> {
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  }).finally(() => process.off('SIGINT', ignore));
}
