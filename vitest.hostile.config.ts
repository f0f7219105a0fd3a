import { configDefaults, defineConfig } from 'vitest/config';

/** Take very long: run with HOSTILE_ALL=1. */
const LONG = ['test/hostile/hostile-agent.hostile.ts', 'test/hostile/seeded-workspaces.hostile.ts'];

/**
 * Agents that attack the worker: output, files, repositories. Run by `npm run test:hostile`; HOSTILE_LINES sets how many
 * lines, HOSTILE_SEEDS how many workspaces.
 */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.hostile.ts', 'test/integration/{push,workspaces}/hostile-*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env['HOSTILE_ALL'] === '1' ? [] : LONG)],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
