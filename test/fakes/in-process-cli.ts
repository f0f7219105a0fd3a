import type { CliIo } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/run-cli.ts';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, not on a terminal unless told; what it prints is collected. */
export async function runInProcess(
  args: readonly string[],
  io: Pick<CliIo, 'cwd' | 'environment'> & Partial<CliIo>,
): Promise<CliResult> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    stdin: async () => '',
    interactive: false,
    ...io,
  });
  return { code, out, err };
}
