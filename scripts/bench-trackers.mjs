import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Runs the trackers' counting benchmark through vite's module runner; more requests than allowed fail it. */
await runProgram(async () => {
  await ensureInstalled();
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, 'test/bench/trackers-bench.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  });
  return process.exitCode ?? 0;
});
