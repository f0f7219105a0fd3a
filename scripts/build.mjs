import { runProgram } from './lib/program.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

await runProgram(async () => {
  await ensureInstalled();
  await ensureBuilt({ checkTypes: true });
  return 0;
});
