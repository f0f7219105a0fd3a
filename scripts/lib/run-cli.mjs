import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { program } from './bundle.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A Ctrl-C arrives twice here, from the terminal and from npm; a second one a person meant comes later than this. */
const SAME_SIGNAL_MS = 300;

/**
 * Runs the built command line and resolves with its exit code. The child gets its own process group: signals reach
 * it through this process only, so that one Ctrl-C is one signal for it.
 */
export function runCli(args, script = program) {
  const child = spawn(process.execPath, [script, ...args], {
    // npm runs its scripts in the package's folder; paths on the command line are meant from where it was typed.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
    detached: true,
  });
  forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function forwardSignals(child) {
  const lastSent = new Map();
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - (lastSent.get(signal) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_MS) return;
      lastSent.set(signal, now);
      child.kill(signal);
    });
  }
  process.on('SIGWINCH', () => child.kill('SIGWINCH'));
}
