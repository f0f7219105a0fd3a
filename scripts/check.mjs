import { deadCode, freshDocs, lint, promises, setUp, typecheck } from './lib/checks.mjs';
import { runProgram } from './lib/program.mjs';
import { FAST_PROJECTS, runSuite } from './lib/suite.mjs';

/** Everything a change must pass before it is committed. */
await runProgram(() =>
  runSuite({
    checks: [setUp, typecheck, lint, promises, deadCode, freshDocs],
    vitestArgs: [...FAST_PROJECTS, ...process.argv.slice(2)],
  }),
);
