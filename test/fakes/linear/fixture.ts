import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import type { LogFields, Logger } from '../../../src/observability/logger.ts';
import { createLinearTracker, type LinearTrackerOptions } from '../../../src/trackers/linear/adapter.ts';
import { CONTRACT_STATES, type SeedIssue, type TrackerFixture } from '../../contracts/tracker-fixture.ts';
import { FAKE_KEY, FakeLinear } from './server.ts';
import { type FakeIssue, PROJECT_SLUG } from './store.ts';

export interface LinearFixture extends TrackerFixture {
  readonly fake: FakeLinear;
  /** What the adapter logged. */
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: unknown }[];
}

/** A fake Linear with these issues, and a tracker that reads it. */
export async function createLinearFixture(
  seed: readonly SeedIssue[],
  options: Partial<LinearTrackerOptions> = {},
): Promise<LinearFixture> {
  const fake = await FakeLinear.start();
  const { store } = fake;
  const issues = new Map<string, FakeIssue>();
  for (const { key, blockedBy: _blockers, labels = [], ...issue } of seed)
    issues.set(key, store.addIssue({ ...issue, labels: [...labels] }));
  const idOf = (key: string): string => {
    const issue = issues.get(key);
    if (issue === undefined) throw new Error(`there is no issue ${key}`);
    return issue.id;
  };
  for (const issue of seed)
    for (const blocker of issue.blockedBy ?? []) store.block(idOf(issue.key), idOf(blocker));
  const { logger, lines } = recordingLogger();
  const tracker = createLinearTracker({
    endpoint: fake.url,
    apiKey: new Secret(FAKE_KEY),
    projectSlug: PROJECT_SLUG,
    teamKey: null,
    assignee: null,
    activeStates: CONTRACT_STATES.active,
    terminalStates: CONTRACT_STATES.terminal,
    inactiveStates: CONTRACT_STATES.inactive,
    allowTerminal: true,
    paginationMaxPages: 0,
    mutations: { allowMutations: true, allowedMutations: [] },
    secretEnvironmentNames: ['LINEAR_API_KEY'],
    logger,
    clock: systemClock,
    governor: createGovernor({ clock: systemClock }),
    ...options,
  });
  return {
    fake,
    lines,
    tracker,
    idOf,
    async move(key, state) {
      store.move(idOf(key), state);
    },
    async corrupt(key) {
      store.issue(idOf(key)).title = ' ';
    },
    async remove(key) {
      store.issues.delete(idOf(key));
    },
    breakDown: () => fake.stop(),
    async comments(key) {
      return store.comments.filter((comment) => comment.issueId === idOf(key)).map((comment) => comment.body);
    },
    warnings: () => lines.filter((line) => line.level === 'warn' || line.level === 'error').length,
    dispose: () => fake.finish(),
  };
}

type Line = LinearFixture['lines'][number];

function recordingLogger(): { logger: Logger; lines: readonly Line[] } {
  const lines: Line[] = [];
  const make = (always: LogFields): Logger => {
    const write =
      (level: string) =>
      (message: string, fields: LogFields = {}): void =>
        void lines.push({ level, message, fields: { ...always, ...fields } });
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      with: (fields) => make({ ...always, ...fields }),
    };
  };
  return { logger: make({}), lines };
}
