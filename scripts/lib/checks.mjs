import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { root, SetupError, say } from './program.mjs';
import { runCommand, runTool } from './run-command.mjs';

/** A check is a title and a function that resolves with an exit code. This one comes first: the others need it. */
export const setUp = {
  title: 'set-up',
  async run() {
    await ensureInstalled();
    try {
      await ensureBuilt();
      return 0;
    } catch (error) {
      // Tests of what does compile still tell something.
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
      return 1;
    }
  },
};

export const typecheck = {
  title: 'typecheck',
  async run() {
    const projects = ['tsconfig.test.json', 'dashboard/tsconfig.json'].filter((path) =>
      existsSync(join(root, path)),
    );
    const results = await Promise.all(
      projects.map((project) => runTool('typescript/bin/tsc', ['-p', project, '--noEmit'])),
    );
    return Math.max(...results.map(({ code }) => code));
  },
};

export const lint = {
  title: 'lint',
  run: async () => (await runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])).code,
};

/** What needs types and so takes seconds: a promise that nobody waits for, or that is taken for a value. */
export const promises = {
  title: 'promises',
  run: async () => (await runTool('oxlint/bin/oxlint', ['--type-aware'])).code,
};

export const deadCode = {
  title: 'unused files, exports and dependencies',
  run: async () => (await runTool('knip/bin/knip.js', [])).code,
};

/** Generated pages must match the sources they come from. */
export const freshDocs = {
  title: 'generated documents',
  async run() {
    const generator = join(root, 'scripts', 'generate-config-docs.mjs');
    return existsSync(generator) ? (await runCommand(process.execPath, [generator, '--check'])).code : 0;
  },
};
