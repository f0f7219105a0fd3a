import { defineConfig } from 'vitest/config';

/** A real forge in a jail without network. Run by `npm run test:forge`; skipped, visibly, where none can run. */
export default defineConfig({
  test: {
    include: ['test/real/forge/**/*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 150_000,
    hookTimeout: 150_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
