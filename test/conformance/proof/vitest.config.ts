import { defineConfig } from 'vitest/config';

/** The tests of a copy of the repository, without the build that other suites need. */
export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
