import { SetupError, say } from './lib/program.mjs';
import { ensureBuilt } from './prepare.mjs';

/** Vitest's global set-up: tests start built programs, also when vitest is run by hand. */
export async function setup() {
  try {
    await ensureBuilt();
  } catch (error) {
    // The compiler writes what it can; tests of the rest still tell something.
    if (!(error instanceof SetupError)) throw error;
    say(`warning: ${error.message}`);
  }
}
