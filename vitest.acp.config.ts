import { defineConfig } from 'vitest/config';

/** A real agent of the Agent Client Protocol against a scripted model on loopback. Run by `npm run test:acp`. */
export default defineConfig({
  test: {
    include: ['test/real/acp/**/*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs', 'test/real/acp/install-agent.mjs'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
