#!/usr/bin/env node
import { readOutline } from './outline/read-outline.ts';
import { readVersion } from './version.ts';

const args = process.argv.slice(2);
const { processIo } = await import('./io.ts');
const io = processIo();
// Asked by scripts and by people in a hurry: the version needs no parser of options.
if (args.length === 1 && args[0] === '--version') io.stdout(`${readVersion()}\n`);
else process.exitCode = await (await loadCli())(args, io, readOutline);

/** What soon ends reads as little as it can; a worker reads all there is, compiled before, and needs no file of its installation later. */
async function loadCli() {
  if (!args.includes('worker') || args.includes('--help')) return (await import('./run-cli.ts')).runCli;
  const { loadCompiledCli } = await import('./compiled/load-compiled.ts');
  return loadCompiledCli((name) => import(name));
}
