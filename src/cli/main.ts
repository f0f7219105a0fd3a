#!/usr/bin/env node
import { readOutline } from './outline/read-outline.ts';
import { readVersion } from './version.ts';
import { keepYoungGenerationSmall } from './young-generation.ts';

const args = process.argv.slice(2);
// Before anything heavy is loaded; a command that soon ends has no use for it.
if (args.includes('worker')) keepYoungGenerationSmall();
// Asked by scripts and by people in a hurry: the version needs no parser of options.
const asksVersion = args.length === 1 && args[0] === '--version';
const [{ processIo }, cli] = await Promise.all([
  import('./io.ts'),
  asksVersion ? null : import('./run-cli.ts'),
]);
const io = processIo();
if (cli === null) io.stdout(`${readVersion()}\n`);
else process.exitCode = await cli.runCli(args, io, readOutline);
