import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Runs the API's benchmark, or one of the processes it is made of, through vite's module runner. */
const [part = ''] = process.argv.slice(2);
const parts = { '--worker': 'api-worker', '--followers': 'api-followers' };
const file = `test/bench/${parts[part] ?? 'api-bench'}.ts`;
await runProgram(async () => {
  await ensureInstalled();
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, file), { root, configFile: false, logLevel: 'error' });
  return process.exitCode ?? 0;
});
