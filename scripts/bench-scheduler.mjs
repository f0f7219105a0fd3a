import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Runs the scheduler's benchmark through vite's module runner; times are printed, never judged. */
await runProgram(async () => {
  await ensureInstalled();
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, 'test/bench/scheduler-bench.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  });
  return process.exitCode ?? 0;
});
