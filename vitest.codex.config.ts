import { defineConfig } from 'vitest/config';

/** The real Codex against a scripted model on loopback. Run by `npm run test:codex`. */
export default defineConfig({
  test: {
    include: ['test/real/codex/**/*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs', 'test/real/codex/install-codex.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
