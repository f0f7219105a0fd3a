import { defineConfig } from 'vitest/config';

/** From an empty folder through `aiops init` to a delivered issue, with real agents. Run by `npm run test:first-run`. */
export default defineConfig({
  test: {
    include: ['test/first-run/**/*.test.ts'],
    globalSetup: [
      'scripts/build-before-tests.mjs',
      'test/real/codex/install-codex.mjs',
      'test/real/claude/install-claude.mjs',
    ],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
