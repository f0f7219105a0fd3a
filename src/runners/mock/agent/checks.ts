import { spawn } from 'node:child_process';
import type { Session } from './session.ts';

/** Runs the workflow's own checks and says how each ended; it is not the mock's to make them pass. */
export async function runChecks(session: Session): Promise<void> {
  for (const [index, command] of session.verify.entries()) {
    const { ended, output, exitCode, durationMs } = await execute(command, session.workspace);
    await session.say('command', `Verified with \`${command}\`: ${ended}`, {
      callId: `check-${index + 1}`,
      input: command,
      output,
      durationMs,
      failed: exitCode !== 0,
      ...(exitCode === null ? {} : { exitCode }),
    });
  }
}

const MAX_CHECK_MS = 10 * 60_000;
const MAX_OUTPUT = 4_000;

interface Ended {
  readonly ended: string;
  readonly output: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
}

function execute(command: string, workspace: string): Promise<Ended> {
  return new Promise((resolve) => {
    const startedAt = Date.now();
    let output = '';
    const end = (ended: string, exitCode: number | null): void =>
      resolve({ ended, output, exitCode, durationMs: Math.max(0, Date.now() - startedAt) });
    const child = spawn('sh', ['-c', command], {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MAX_CHECK_MS,
    });
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk.toString('utf8')}`.slice(-MAX_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => end(`it could not be started, ${error.message}`, null));
    // Not `close`: what a check leaves running may hold the pipes open.
    child.once('exit', (code, signal) =>
      end(code === null ? `ended by ${signal}` : `exit code ${code}`, code),
    );
  });
}
