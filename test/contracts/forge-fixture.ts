import { Secret } from '../../src/config/resolve/secret.ts';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { ToolResult } from '../../src/domain/tool.ts';
import type { TrustRules } from '../../src/domain/trust.ts';
import type { ForgeOptions } from '../../src/forges/connection.ts';
import type { Forge } from '../../src/forges/forge.ts';
import { createGiteaForge } from '../../src/forges/gitea/adapter.ts';
import { createGithubForge } from '../../src/forges/github/adapter.ts';
import { pullRequestTools } from '../../src/forges/tools/pull-request-tools.ts';
import { createGovernor } from '../../src/http/budget/governor.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import type { ToolContext } from '../../src/tools/run-tools.ts';
import { createToolSet } from '../../src/tools/tool-kit.ts';
import type { FakePull } from '../fakes/forge/pulls.ts';
import type { FakeForge } from '../fakes/forge/server.ts';
import { FAKE_TOKEN as GITEA_TOKEN, startFakeGitea } from '../fakes/gitea/server.ts';
import { FAKE_TOKEN as GITHUB_TOKEN, startFakeGithub } from '../fakes/github/server.ts';
import { makeIssue } from '../fakes/scheduler-fixture.ts';

/** The run's own branch in every test. */
export const BRANCH = 'ai/7';

export interface ForgeFixture {
  readonly fake: FakeForge;
  readonly forge: Forge;
  readonly token: string;
  /** The run's own: #7. */
  readonly issue: Issue;
  /** What an agent does. */
  use(name: string, input: unknown, context?: Partial<ToolContext>): Promise<ToolResult>;
  /** A pull request somebody made; from the run's branch unless said otherwise. Gives its number. */
  addPull(
    pull?: Partial<FakePull> & {
      readonly title?: string;
      readonly author?: string;
      readonly closed?: boolean;
    },
  ): number;
}

export interface FixtureOptions {
  readonly trust?: TrustRules | null;
  /** By default issue and repository are on the same forge. */
  readonly numberOf?: (issue: Issue) => number | null;
}

export interface ForgeSubject {
  readonly name: string;
  open(options?: FixtureOptions): Promise<ForgeFixture>;
}

async function fixtureOf(
  fake: FakeForge,
  token: string,
  prefix: string,
  create: (options: ForgeOptions) => Forge,
  { trust = null, numberOf = ({ id }) => Number(id) }: FixtureOptions,
): Promise<ForgeFixture> {
  // A second attempt follows the first at once; deadlines stay what they are.
  const setTimer: Clock['setTimer'] = (ms, fire) => systemClock.setTimer(ms < 1_000 ? 0 : ms, fire);
  const clock: Clock = { ...systemClock, setTimer };
  const forge = create({
    endpoint: `${fake.origin}${prefix}`,
    token: new Secret(token),
    repository: { owner: 'octo', name: 'app' },
    logger: silentLogger,
    clock,
    governor: createGovernor({ clock: systemClock }),
    timeoutMs: 5_000,
  });
  const tools = createToolSet({
    tools: pullRequestTools({
      forge,
      defaultBranch: 'main',
      trust,
      repository: { owner: 'octo', name: 'app' },
      numberOf,
    }),
    secretEnvironmentNames: [],
    redact: forge.redact,
  });
  const issue = makeIssue('7', { identifier: '#7' });
  fake.store.branches = new Map([
    ['main', { ahead: 0 }],
    ['release', { ahead: 0 }],
    [BRANCH, { ahead: 2 }],
    ['feature', { ahead: 1 }],
  ]);
  return {
    fake,
    forge,
    token,
    issue,
    use: (name, input, context = {}) =>
      tools.execute(
        { name, arguments: input },
        { issue, branch: BRANCH, signal: new AbortController().signal, ...context },
      ),
    addPull: ({ title = 'Old', author = 'bot', closed = false, ...pull } = {}) =>
      fake.store.add({
        title,
        author,
        closed,
        pull: { head: BRANCH, base: 'main', headRepository: 'octo/app', ...pull },
      }).number,
  };
}

export const FORGES: readonly ForgeSubject[] = [
  {
    name: 'github',
    open: async (options = {}) =>
      fixtureOf(await startFakeGithub(), GITHUB_TOKEN, '', createGithubForge, options),
  },
  {
    name: 'github enterprise server',
    open: async (options = {}) =>
      fixtureOf(
        await startFakeGithub({ prefix: '/api/v3' }),
        GITHUB_TOKEN,
        '/api/v3',
        createGithubForge,
        options,
      ),
  },
  {
    name: 'gitea',
    open: async (options = {}) =>
      fixtureOf(await startFakeGitea(), GITEA_TOKEN, '', createGiteaForge, options),
  },
];
