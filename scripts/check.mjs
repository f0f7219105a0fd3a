import { deadCode, freshDocs, lint, setUp, typecheck } from './lib/checks.mjs';
import { runProgram } from './lib/program.mjs';
import { runSuite } from './lib/suite.mjs';

/** Everything a change must pass before it is committed. */
await runProgram(() =>
  runSuite({ checks: [setUp, typecheck, lint, deadCode, freshDocs], vitestArgs: process.argv.slice(2) }),
);
