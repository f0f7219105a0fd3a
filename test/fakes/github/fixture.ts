import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { sameState } from '../../../src/domain/state-name.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { createGithubTracker, type GithubTrackerOptions } from '../../../src/trackers/github/adapter.ts';
import { CONTRACT_STATES, type SeedIssue, type TrackerFixture } from '../../contracts/tracker-fixture.ts';
import { type LogLine, recordingLogger } from '../forge/recording-logger.ts';
import { seedIssues } from '../forge/seed.ts';
import type { FakeForge } from '../forge/server.ts';
import { FAKE_TOKEN, type FakeGithubOptions, startFakeGithub } from './server.ts';

export interface GithubFixture extends TrackerFixture {
  readonly fake: FakeForge;
  readonly lines: readonly LogLine[];
  numberOf(key: string): number;
}

const STATES = [...CONTRACT_STATES.active, ...CONTRACT_STATES.terminal, ...CONTRACT_STATES.inactive];

/** A fake GitHub with these issues, and a tracker that reads it. States are labels. */
export async function createGithubFixture(
  seed: readonly SeedIssue[],
  options: Partial<GithubTrackerOptions> = {},
  server: FakeGithubOptions = {},
): Promise<GithubFixture> {
  const fake = await startFakeGithub(server);
  const numberOf = seedIssues(fake.store, seed, (state) => state);
  const { logger, lines } = recordingLogger();
  const tracker = createGithubTracker({
    endpoint: `${fake.origin}${server.prefix ?? ''}`,
    token: new Secret(FAKE_TOKEN),
    repository: { owner: 'octo', name: 'app' },
    activeStates: CONTRACT_STATES.active,
    terminalStates: CONTRACT_STATES.terminal,
    inactiveStates: CONTRACT_STATES.inactive,
    logger,
    clock: systemClock,
    governor: createGovernor({ clock: systemClock }),
    ...options,
  });
  return {
    fake,
    lines,
    tracker,
    numberOf,
    markerLabels: [...STATES.map((state) => state.toLowerCase()), 'priority: 2'],
    idOf: (key) => String(numberOf(key)),
    async move(key, state) {
      fake.store.relabel(numberOf(key), (label) => STATES.some((name) => sameState(name, label)), state);
    },
    async corrupt(key) {
      fake.store.issue(numberOf(key)).title = ' ';
    },
    async remove(key) {
      fake.store.issues.delete(numberOf(key));
    },
    breakDown: () => fake.stop(),
    comments: async (key) => fake.store.issue(numberOf(key)).comments.map((comment) => comment.body),
    warnings: () => lines.filter((line) => line.level === 'warn' || line.level === 'error').length,
    dispose: () => fake.finish(),
  };
}
