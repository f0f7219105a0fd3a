/**
 * Tests that cost more than the fast suite may: each group is run by the command of its name (`npm run test:runners`)
 * and left out of `npm test`.
 */
export const SUITES = {
  /** Every runner against its contract, with an agent process for each test. */
  runners: [
    'test/contracts/runner-*.test.ts',
    'test/integration/runners/**/*.test.ts',
    'test/integration/claude-driver.test.ts',
  ],
  /** Hosted trackers and forges against servers that hold them to the published schemas. */
  trackers: [
    'test/contracts/{forge-*,tracker-{gitea,github,linear}}.test.ts',
    'test/integration/{forge-commands,gitea,github,linear,tracker-faults,tracker-http,trust}/**/*.test.ts',
  ],
  /** Real git all along. Attacks among them are run by `npm run test:hostile`. */
  workspaces: ['test/integration/{push,workspaces}/**/*.test.ts'],
};
