import { defineConfig } from 'vitest/config';

/** The real Claude Code against a scripted model on loopback. Run by `npm run test:claude`. */
export default defineConfig({
  test: {
    include: ['test/real/claude/**/*.test.ts'],
    globalSetup: ['scripts/build-before-tests.mjs', 'test/real/claude/install-claude.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
