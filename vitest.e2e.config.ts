import { defineConfig } from 'vitest/config';

/** The built program as a user meets it: real command line, real browser. Run by `npm run test:e2e`. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
