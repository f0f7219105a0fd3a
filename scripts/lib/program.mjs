import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own folder, wherever a script was started from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A problem with the set-up that the reader can solve; printed without a stack. */
export class SetupError extends Error {}

/** Progress and errors go to stderr: stdout belongs to the command that is being prepared. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs `main` as the whole program; what it resolves with is the exit code. */
export async function runProgram(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
