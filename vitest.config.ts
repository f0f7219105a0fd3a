import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/*
 * Every suite is a project. `npm test` runs the fast ones (`units`, `whole`), `npm run test:NAME` another one, and
 * `npx vitest run PATH` finds a file in whichever project holds it. A project's set-up runs only with files of its own.
 * test/README.md says what each kind of test is for.
 */

type SuiteConfig = NonNullable<TestProjectInlineConfiguration['test']>;

const MINUTE = 60_000;
const INSTALL_CODEX = 'test/real/codex/install-codex.mjs';
const INSTALL_CLAUDE = 'test/real/claude/install-claude.mjs';

/** Attacks that need a workspace or a push, but no worker. */
const HOSTILE_FILES = 'test/integration/{push,workspaces}/hostile-*.test.ts';
const WORKSPACE_FILES = ['test/integration/{push,workspaces}/**/*.test.ts'];
const RUNNER_FILES = [
  'test/contracts/runner-*.test.ts',
  'test/integration/{children,runners,sandbox}/**/*.test.ts',
];
const TRACKER_FILES = [
  'test/contracts/{forge-*,tracker-{gitea,github,linear}}.test.ts',
  'test/integration/{forge-commands,gitea,github,linear,tracker-faults,tracker-http,trust}/**/*.test.ts',
];

/** A journal whose writer is killed, or whose disk fails. */
const STORE_FAULT_FILES = 'test/integration/store/{disk-trouble,spoiled-shm,sudden-death}.test.ts';

/**
 * How often a failed test of the suites with real programs is run again; the log then names it as unsteady. CI says once: a
 * machine that stands still for a moment must not hide what six thousand others found. Never for `npm test`, whose random
 * inputs would be others the second time.
 */
const RETRIES = Number(process.env['AIOPS_TEST_RETRIES'] ?? 0);

// Most tests wait for processes: one worker more than cores keeps them busy.
const MAX_WORKERS = 1 + Math.max(2, availableParallelism());

export default defineConfig({
  test: {
    globalSetup: ['scripts/build-before-tests.mjs'],
    projects: [
      // They hold no state between files, and a process for each file costs more than most tests.
      parallel('units', ['src/**/*.test.ts', 'dashboard/**/*.test.{ts,tsx}'], 2, { isolate: false }),
      parallel('whole', ['test/**/*.test.ts', 'scripts/**/*.test.mjs'], 2, {
        isolate: false,
        exclude: [
          ...configDefaults.exclude,
          ...[...RUNNER_FILES, ...TRACKER_FILES, ...WORKSPACE_FILES, STORE_FAULT_FILES],
          'test/{e2e,first-run,real,bench}/**',
        ],
      }),

      // Every runner against its contract, its environment and its sandboxes, with an agent process for each test.
      parallel('runners', RUNNER_FILES, 1, { retry: RETRIES }),
      // Hosted trackers and forges, played by servers that hold them to the published schemas.
      parallel('trackers', TRACKER_FILES, 1),
      // Workspaces, rescues and pushes with real git.
      suite('workspaces', WORKSPACE_FILES, 1, {
        exclude: [...configDefaults.exclude, HOSTILE_FILES],
        retry: RETRIES,
        // Not as many workers as the projects before it, and so not in one group with them.
        sequence: { groupOrder: 1 },
      }),

      // The built program as a user meets it: real command line, real browser.
      suite('e2e', ['test/e2e/**/*.test.ts'], 2, {
        // Each has a worker and agents of its own, and mostly waits for them.
        maxWorkers: 2,
        retry: RETRIES,
        sequence: { groupOrder: 2 },
      }),
      // A real agent of the Agent Client Protocol, Claude Code and Codex, each against a scripted model on loopback.
      serial('acp', ['test/real/acp/**/*.test.ts'], 4, { globalSetup: ['test/real/acp/install-agent.mjs'] }),
      serial('claude', ['test/real/claude/**/*.test.ts'], 2, { globalSetup: [INSTALL_CLAUDE] }),
      serial('codex', ['test/real/codex/**/*.test.ts'], 2, { globalSetup: [INSTALL_CODEX] }),
      // A real forge in a jail without network; skipped, visibly, where none can run.
      serial('forge', ['test/real/forge/**/*.test.ts'], 2.5, { hookTimeout: 2.5 * MINUTE }),
      // From an empty folder through `aiops init` to a delivered issue, with real agents.
      serial('first-run', ['test/first-run/**/*.test.ts'], 3, {
        globalSetup: [INSTALL_CODEX, INSTALL_CLAUDE],
        hookTimeout: 3 * MINUTE,
      }),
      // Kills, full disks and vanished remotes, again and again; FAULT_KILLS sets how many.
      serial('faults', ['test/faults/**/*.faults.ts', STORE_FAULT_FILES], 60),
      // Agents that attack the worker: output, files, repositories, its port, its tools. HOSTILE_LINES sets how many lines,
      // HOSTILE_SEEDS how many workspaces, HOSTILE_KINDS how many kinds of files per place (all are 5), HOSTILE_AT_ONCE how
      // many attacks at once.
      serial('hostile', ['test/hostile/**/*.hostile.ts', HOSTILE_FILES], 60, {
        maxConcurrency: Number(process.env['HOSTILE_AT_ONCE'] ?? 3),
      }),
    ],
  },
});

function suite(
  name: string,
  include: readonly string[],
  timeoutMinutes: number,
  more: SuiteConfig = {},
): TestProjectInlineConfiguration {
  const testTimeout = timeoutMinutes * MINUTE;
  const hookTimeout = Math.min(testTimeout, 2 * MINUTE);
  // A second, which is vitest's own limit, is short for a condition on a busy machine.
  const expect = { poll: { timeout: testTimeout / 2 } };
  return { test: { name, include: [...include], testTimeout, hookTimeout, expect, pool: 'forks', ...more } };
}

/** Its files run at the same time. The limit ends what hangs; a busy machine may be ten times as slow as a quiet one. */
function parallel(name: string, include: readonly string[], timeoutMinutes: number, more: SuiteConfig = {}) {
  return suite(name, include, timeoutMinutes, { maxWorkers: MAX_WORKERS, ...more });
}

/** One file at a time: each takes the machine for itself. */
function serial(name: string, include: readonly string[], timeoutMinutes: number, more: SuiteConfig = {}) {
  return suite(name, include, timeoutMinutes, { fileParallelism: false, retry: RETRIES, ...more });
}
