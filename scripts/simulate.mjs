import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Runs the simulation's TypeScript through vite's module runner; it reads this script's arguments itself. */
await runProgram(async () => {
  await ensureInstalled();
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, 'test/simulation/run.ts'), { root, configFile: false, logLevel: 'error' });
  return process.exitCode ?? 0;
});
