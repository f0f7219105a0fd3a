import { setUp } from './lib/checks.mjs';
import { runProgram, SetupError } from './lib/program.mjs';
import { runSuite } from './lib/suite.mjs';

/** A suite that `npm test` leaves out: `node scripts/heavy-suite.mjs e2e` runs the project `e2e` of vitest.config.ts. */
await runProgram(() => {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined) throw new SetupError('name a project of vitest.config.ts');
  return runSuite({ checks: [setUp], vitestArgs: ['--project', name, ...rest] });
});
