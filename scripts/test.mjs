import { lint, setUp, typecheck } from './lib/checks.mjs';
import { runProgram } from './lib/program.mjs';
import { runSuite } from './lib/suite.mjs';

/** The fast, complete suite. Arguments go to vitest: `npm test -- src/scheduler`. */
await runProgram(() => runSuite({ checks: [setUp, typecheck, lint], vitestArgs: process.argv.slice(2) }));
