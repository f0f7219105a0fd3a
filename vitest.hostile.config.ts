import { defineConfig } from 'vitest/config';

/**
 * Agents that attack the worker: output, files, repositories, its port, its tools. Run by `npm run test:hostile`.
 * HOSTILE_LINES sets how many lines, HOSTILE_SEEDS how many workspaces, HOSTILE_KINDS how many
 * kinds of files per place (all are 5), HOSTILE_AT_ONCE how many attacks at once.
 */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.hostile.ts', 'test/integration/{push,workspaces}/hostile-*.test.ts'],
    // The Claude Agent SDK is fuzzed, too, where it can be installed.
    globalSetup: ['scripts/build-before-tests.mjs', 'test/real/claude/install-claude.mjs'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
    maxConcurrency: Number(process.env['HOSTILE_AT_ONCE'] ?? 3),
  },
});
