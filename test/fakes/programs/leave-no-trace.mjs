// Leaves a daemon that nothing ties to this process: a session of its own, an empty environment, its parent gone. It ignores
// SIGTERM. With `exit` this process exits once the daemon is up, else it waits for the end of its input.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const [role] = process.argv.slice(2);
const start = (next, stdio) => spawn(process.execPath, [self, next], { detached: true, env: {}, stdio });

if (role === 'daemon') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 60_000);
  process.stdout.write(`daemon ${process.pid}\n`);
} else if (role === 'middle') {
  start('daemon', ['ignore', 'inherit', 'ignore']).unref();
} else {
  const middle = start('middle', ['ignore', 'pipe', 'inherit']);
  let line = '';
  middle.stdout.on('data', (chunk) => {
    line += chunk;
  });
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
  await once(middle, 'exit');
  while (!line.includes('\n')) await once(middle.stdout, 'data');
  middle.stdout.destroy();
  process.stdout.write(line);
  if (role === 'exit') process.stdout.write('', () => process.exit(0));
}
