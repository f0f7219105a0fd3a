import { runProgram } from './lib/program.mjs';
import { runCli } from './lib/run-cli.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

await runProgram(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runCli(process.argv.slice(2));
});
