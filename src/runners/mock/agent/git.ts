import { spawn } from 'node:child_process';

/** Runs git in one directory. */
export interface Git {
  /** Its standard output; rejects with what git said when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** The same, but null when git exits with an error. */
  tryRun(...args: readonly string[]): Promise<string | null>;
  /** Settles when no command runs: ending the agent in the middle of one could leave a lock behind. */
  idle(): Promise<void>;
}

interface GitExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function createGit(directory: string): Git {
  const running = new Set<Promise<unknown>>();

  const track = (args: readonly string[]): Promise<GitExit> => {
    const result = execute(directory, args).finally(() => running.delete(result));
    running.add(result);
    return result;
  };

  return {
    async run(...args) {
      const { code, stdout, stderr } = await track(args);
      if (code === 0) return stdout;
      throw new Error(`git ${nameOf(args)} failed: ${stderr.trim() || `exit code ${code}`}`);
    },
    async tryRun(...args) {
      const { code, stdout } = await track(args);
      return code === 0 ? stdout : null;
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** The subcommand, past any `-c name=value`. */
function nameOf(args: readonly string[]): string {
  return args.find((arg, index) => arg !== '-c' && args[index - 1] !== '-c') ?? '';
}

/** After git itself is gone, how long a hook's leftover child may hold the output open. */
const OUTPUT_GRACE_MS = 500;
const KEPT_CHARACTERS = 1_000_000;

function execute(directory: string, args: readonly string[]): Promise<GitExit> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < KEPT_CHARACTERS) stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < KEPT_CHARACTERS) stderr += text;
    });
    child.once('error', (error) => reject(new Error(`git could not be run: ${error.message}`)));
    child.once('exit', (code) => {
      const finish = (): void => resolve({ code, stdout, stderr });
      const timer = setTimeout(finish, OUTPUT_GRACE_MS);
      child.once('close', () => {
        clearTimeout(timer);
        finish();
      });
    });
  });
}
