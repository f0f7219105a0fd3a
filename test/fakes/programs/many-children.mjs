// A restless tree: each process keeps starting another one in a session of its own, up to <count> of them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const left = Number(process.argv[2]);
process.on('SIGTERM', () => {});
setInterval(() => {}, 60_000);
if (left > 0) {
  spawn(process.execPath, [fileURLToPath(import.meta.url), String(left - 1)], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
} else {
  process.stdout.write('grown\n');
}
