import { runProgram } from './lib/program.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

await runProgram(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return 0;
});
