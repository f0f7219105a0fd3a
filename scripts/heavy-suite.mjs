import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from './lib/checks.mjs';
import { root, runProgram, SetupError } from './lib/program.mjs';
import { runSuite } from './lib/suite.mjs';

/** A suite with its own configuration: `node scripts/heavy-suite.mjs e2e` runs vitest.e2e.config.ts. */
await runProgram(() => {
  const [name, ...rest] = process.argv.slice(2);
  const config = `vitest.${name}.config.ts`;
  if (!existsSync(join(root, config)))
    throw new SetupError(`there is no ${config}; name a suite that has one`);
  return runSuite({ checks: [setUp], vitestArgs: ['--config', config, ...rest] });
});
