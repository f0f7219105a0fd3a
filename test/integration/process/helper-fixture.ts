import { runCommand } from '../../../src/process/helper/helper.ts';

/** The process that starts commands now. */
export async function starterOfCommands(): Promise<number> {
  const options = {
    command: 'sh',
    args: ['-c', 'echo $PPID'],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
  };
  return Number((await runCommand(options)).stdout);
}

/** Waits for the helper, which the first command starts; gives its pid. */
export async function helperIsThere(): Promise<number> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const pid = await starterOfCommands();
    if (pid !== process.pid) return pid;
    if (performance.now() > deadline) throw new Error('no helper process came up');
  }
}
