import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Runs a TypeScript program of this repository through vite's module runner: `node scripts/run-typescript.mjs FILE ARGS…`. */
await runProgram(async () => {
  await ensureInstalled();
  const [file] = process.argv.splice(2, 1);
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, file), { root, configFile: false, logLevel: 'error' });
  return process.exitCode ?? 0;
});
