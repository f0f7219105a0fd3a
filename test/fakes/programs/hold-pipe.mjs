// Exits at once, but a descendant in a session of its own keeps stdout and stderr open. With `noisy` it also keeps writing.
import { spawn } from 'node:child_process';

const script = process.argv.includes('noisy')
  ? 'process.stdout.on("error", () => {}); setInterval(() => process.stdout.write("noise\\n"), 5)'
  : 'setInterval(() => {}, 60000)';
const holder = spawn(process.execPath, ['-e', script], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
});
holder.once('spawn', () => process.stdout.write(`holder ${holder.pid}\n`, () => process.exit(3)));
