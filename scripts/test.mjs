import { lint, setUp, typecheck } from './lib/checks.mjs';
import { runProgram } from './lib/program.mjs';
import { FAST_PROJECTS, runSuite } from './lib/suite.mjs';

/** The fast, complete suite. Arguments go to vitest: `npm test -- src/scheduler`. */
await runProgram(() =>
  runSuite({ checks: [setUp, typecheck, lint], vitestArgs: [...FAST_PROJECTS, ...process.argv.slice(2)] }),
);
