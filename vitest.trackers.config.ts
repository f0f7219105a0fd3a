import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SUITES } from './test/suites.ts';

/** Hosted trackers and forges, played by servers on loopback. Run by `npm run test:trackers`. */
export default defineConfig({
  test: {
    include: SUITES.trackers,
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most tests wait for processes: one worker more than cores keeps them busy.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
  },
});
