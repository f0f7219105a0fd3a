import { configDefaults, defineConfig } from 'vitest/config';
import { SUITES } from './test/suites.ts';

/** Workspaces, rescues and pushes with real git. Run by `npm run test:workspaces`; attacks on them by `npm run test:hostile`. */
export default defineConfig({
  test: {
    include: SUITES.workspaces,
    exclude: [...configDefaults.exclude, '**/hostile-*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
