import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** The fast suite, run by `npm test`. What needs a browser or minutes has a configuration and a command of its own. */
export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'dashboard/**/*.test.{ts,tsx}',
      'test/**/*.test.ts',
      'scripts/**/*.test.mjs',
    ],
    exclude: [
      ...configDefaults.exclude,
      'test/e2e/**',
      'test/forge/**',
      'test/acp/**',
      'test/claude/**',
      'test/codex/**',
      'test/bench/**',
    ],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Most tests wait for processes: vitest's default leaves one of two cores idle.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
