import { defineConfig } from 'vitest/config';

/** Kills, full disks and vanished remotes, again and again. Run by `npm run test:faults`; FAULT_KILLS sets how many. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
