import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runProgram } from './lib/program.mjs';

/** Floods a real worker with the events of a fake app-server; limits that do not depend on the machine are judged. */
await runProgram(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(root, 'test/bench/stream-bench.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  });
  return module.runBenchmark();
});
