import type { CliIo } from '../../../src/cli/io.ts';

/** A command's way to an outside world that says nothing and hears nothing. */
export const SILENT_IO: CliIo = {
  stdout: () => {},
  stderr: () => {},
  stdin: async () => '',
  environment: {},
  cwd: '/',
  interactive: false,
};
