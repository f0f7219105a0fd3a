// Starts a child in a session of its own with an empty environment, and stays its parent; with `leave`
// only until its own input ends.
import { spawn } from 'node:child_process';

const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 60000)'], {
  detached: true,
  env: {},
  stdio: ['ignore', 'pipe', 'ignore'],
});
child.stdout.once('data', () => process.stdout.write(`child ${child.pid}\n`));
process.stdin.resume();
if (process.argv.includes('leave')) process.stdin.on('end', () => process.exit(0));
