import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { createGiteaTracker, type GiteaTrackerOptions } from '../../../src/trackers/gitea/adapter.ts';
import { CONTRACT_STATES, type SeedIssue, type TrackerFixture } from '../../contracts/tracker-fixture.ts';
import { type LogLine, recordingLogger } from '../forge/recording-logger.ts';
import { seedIssues } from '../forge/seed.ts';
import type { FakeForge } from '../forge/server.ts';
import { FAKE_TOKEN, startFakeGitea } from './server.ts';

export interface GiteaFixture extends TrackerFixture {
  readonly fake: FakeForge;
  readonly lines: readonly LogLine[];
  numberOf(key: string): number;
}

/** The states of the contract as labels; the table of a workflow may look like this. */
export const STATE_LABELS = [
  ...CONTRACT_STATES.active,
  ...CONTRACT_STATES.inactive,
  ...CONTRACT_STATES.terminal,
].map((state) => ({ label: labelFor(state), state }));

export function labelFor(state: string): string {
  return `aiops/${state.toLowerCase().replaceAll(' ', '-')}`;
}

/** A fake Gitea with these issues, and a tracker that reads it. */
export async function createGiteaFixture(
  seed: readonly SeedIssue[],
  options: Partial<GiteaTrackerOptions> = {},
): Promise<GiteaFixture> {
  const fake = await startFakeGitea();
  for (const { label } of STATE_LABELS) fake.store.label(label);
  const numberOf = seedIssues(fake.store, seed, labelFor);
  const { logger, lines } = recordingLogger();
  const tracker = createGiteaTracker({
    endpoint: fake.origin,
    token: new Secret(FAKE_TOKEN),
    repository: { owner: 'octo', name: 'app' },
    activeStates: CONTRACT_STATES.active,
    terminalStates: CONTRACT_STATES.terminal,
    inactiveStates: CONTRACT_STATES.inactive,
    stateLabels: STATE_LABELS,
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
    markerLabels: [...STATE_LABELS.map(({ label }) => label), 'priority: 2'],
    idOf: (key) => String(numberOf(key)),
    async move(key, state) {
      fake.store.relabel(numberOf(key), (label) => label.startsWith('aiops/'), labelFor(state));
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
