import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './program.mjs';

const KEPT_OUTPUT = 20_000;

/** Runs a command to its end, its output shown on `stdout` and stderr; resolves with its exit code and last output. */
export function runCommand(command, args, { stdout = process.stderr, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const show = (target) => (chunk) => {
      target.write(chunk);
      output = (output + chunk).slice(-KEPT_OUTPUT);
    };
    child.stdout.setEncoding('utf8').on('data', show(stdout));
    child.stderr.setEncoding('utf8').on('data', show(process.stderr));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs an installed package's program with this Node; `.bin` links are not needed. */
export function runTool(script, args, options) {
  return runCommand(process.execPath, [join(root, 'node_modules', script), ...args], options);
}

export function secondsSince(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}
