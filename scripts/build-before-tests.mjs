import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError, say } from './lib/program.mjs';
import { ensureBuilt } from './prepare.mjs';

/**
 * Vitest's global set-up: tests start built programs, also when vitest is run by hand. Workers keep their state below a
 * folder of this run, never in the user's own; the result takes it away again.
 */
export async function setup() {
  const state = mkdtempSync(join(tmpdir(), 'aiops-test-state-'));
  process.env['XDG_STATE_HOME'] = state;
  try {
    await ensureBuilt();
  } catch (error) {
    // The compiler writes what it can; tests of the rest still tell something.
    if (!(error instanceof SetupError)) throw error;
    say(`warning: ${error.message}`);
  }
  return () => rmSync(state, { recursive: true, force: true, maxRetries: 3 });
}
