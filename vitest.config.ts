import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { SUITES } from './test/suites.ts';

/** The fast suite, run by `npm test`. What needs a browser or minutes has a configuration and a command of its own. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'dashboard/**/*.test.{ts,tsx}'],
          // They hold no state between files, and a process for each file costs more than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: [
            ...configDefaults.exclude,
            'test/e2e/**',
            'test/first-run/**',
            ...Object.values(SUITES).flat(),
            'test/real/forge/**',
            'test/real/acp/**',
            'test/real/claude/**',
            'test/real/codex/**',
            'test/bench/**',
          ],
        },
      },
    ],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Most tests wait for processes: one worker more than cores keeps them busy.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
  },
});
