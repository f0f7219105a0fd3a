import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Prints the conformance matrix; fails on an open line. `-- --proof` also says where each line is proven. */
await runProgram(async () => {
  await ensureInstalled();
  const { runnerImport } = await import('vite');
  await runnerImport(join(root, 'test/conformance/run.ts'), { root, configFile: false, logLevel: 'error' });
  return process.exitCode ?? 0;
});
