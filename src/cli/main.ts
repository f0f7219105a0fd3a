#!/usr/bin/env node
import { keepYoungGenerationSmall } from './young-generation.ts';

keepYoungGenerationSmall();
const [{ processIo }, { runCli }] = await Promise.all([import('./io.ts'), import('./run-cli.ts')]);
process.exitCode = await runCli(process.argv.slice(2), processIo());
