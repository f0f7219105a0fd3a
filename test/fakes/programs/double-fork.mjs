// Leaves a daemon behind the classic way: a middle process starts it in a session of its own and exits, so init adopts it.
// Arguments: `stubborn` makes the daemon ignore SIGTERM; `exit` makes this process exit once the daemon is up.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const options = process.argv.slice(2);
const self = fileURLToPath(import.meta.url);
const start = (role, stdio) => spawn(process.execPath, [self, role, ...options], { detached: true, stdio });

if (options[0] === 'daemon') {
  if (options.includes('stubborn')) process.on('SIGTERM', () => {});
  setInterval(() => {}, 60_000);
  process.stdout.write(`daemon ${process.pid}\n`);
} else if (options[0] === 'middle') {
  spawn(process.execPath, [self, 'daemon', ...options.slice(1)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'ignore'],
  }).unref();
} else {
  const middle = start('middle', ['ignore', 'pipe', 'inherit']);
  middle.stdout.once('data', (line) => {
    process.stdout.write(line);
    process.stderr.write(line);
    middle.stdout.destroy();
    if (options.includes('exit')) process.exit(0);
  });
  setInterval(() => {}, 60_000);
  process.on('SIGTERM', () => process.exit(0));
}
