import { packageFile } from '../../process/package-file.ts';
import type { runCli } from '../run-cli.ts';
import { runCompiled } from './run-compiled.ts';
import { keepYoungGenerationSmall } from './young-generation.ts';

/** The command line for a worker. `AIOPS_COMPILE_CACHE=write` keeps its compiled form when the process ends. */
export function loadCompiledCli(importModule: (name: string) => Promise<unknown>): typeof runCli {
  const { exports, save } = runCompiled(packageFile('dist/program/worker.cjs'), importModule);
  // V8 keeps compiled code together with its own settings: they are changed after that was read, and not at all before it is written.
  if (process.env['AIOPS_COMPILE_CACHE'] === 'write') process.on('exit', save);
  else keepYoungGenerationSmall();
  // What the file is built from says so.
  return (exports as { readonly runCli: typeof runCli }).runCli;
}
