import { spawn } from 'node:child_process';
import type { Session } from './session.ts';

/** Runs the workflow's own checks and says how each ended; it is not the mock's to make them pass. */
export async function runChecks(session: Session): Promise<void> {
  for (const command of session.verify) {
    const ended = await execute(command, session.workspace);
    await session.say('command', `Verified with \`${command}\`: ${ended}`);
  }
}

const MAX_CHECK_MS = 10 * 60_000;

function execute(command: string, workspace: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: workspace, stdio: 'ignore', timeout: MAX_CHECK_MS } as const;
    const child = spawn('sh', ['-c', command], options);
    child.once('error', (error) => resolve(`it could not be started, ${error.message}`));
    child.once('exit', (code, signal) => resolve(code === null ? `ended by ${signal}` : `exit code ${code}`));
  });
}
