import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI } from '../../e2e/cli/cli.ts';
import type { Fixture } from '../../e2e/cli/fixture.ts';
import { openFixture } from '../../e2e/cli/worker-fixture.ts';
import type { FakeForge } from '../../fakes/forge/server.ts';
import { startFakeGitea } from '../../fakes/gitea/server.ts';
import type { Text } from './canary-scan.ts';
import { serveWithPassword } from './http-remote.ts';

export const API_TOKEN = 'canary-of-the-api-0123456789abcdef';
/** Every credential a worker can have, each of its own kind. */
export const CANARIES = {
  CLONE_PASSWORD: 'canary/of+the=clone@address',
  REPO_TOKEN: 'canary-of-the-repository-token',
  TEAM_TRACKER_KEY: 'canary-of-the-team-tracker-key',
  HOOK_SECRET: 'canary-of-the-webhooks-secret',
  NOTIFY_PATH: 'canary-of-the-notification-address',
  SLACK_PATH: 'canary-of-the-slack-address',
  AIOPS_STATE_API_TOKEN: API_TOKEN,
  AIOPS_STATE_API_READ_TOKEN: 'canary-of-readers-0123456789abcdef',
  GITHUB_TOKEN: 'canary-of-github-for-nobody',
  GH_TOKEN: 'canary-of-the-github-program',
  GITEA_TOKEN: 'canary-of-another-forge',
  LINEAR_API_KEY: 'canary-of-another-tracker',
  NPM_TOKEN: 'canary-of-a-registry',
  AWS_SECRET_ACCESS_KEY: 'canary-of-a-cloud',
  DATABASE_PASSWORD: 'canary-of-a-database',
  DEPLOY_PRIVATE_KEY: 'canary-of-a-private-key',
  GIT_TOKEN: 'canary-named-like-settings-of-git',
};
export const HOOKS = ['after_create', 'before_run', 'after_run', 'before_remove'] as const;

/** Written into `$SEEN`: what a child got, and how its parent but one, the worker, called it. */
const record = (name: string, seen: string): string =>
  `{ tr '\\0' '\\n' </proc/self/environ; tr '\\0' '\\n' </proc/$$/cmdline; } >"${join(seen, name)}.$$"`;

/** Git that leaves its arguments and its environment behind before it does its work. */
function spyingGit(fixture: Fixture, seen: string): string {
  const folder = join(fixture.directory, 'bin');
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${record('git', seen)}\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return folder;
}

/** Takes notices, and keeps the ways they came by. */
async function takeNotices(): Promise<{ readonly origin: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

export interface Scene {
  readonly fixture: Fixture;
  readonly seen: string;
  readonly forge: FakeForge;
  readonly notices: readonly string[];
  readonly signedIn: readonly string[];
  readonly alive: Text[];
}

export interface Kind {
  /** Part of the agent's command line. */
  readonly program: string;
  readonly agent: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly password: 'CLONE_PASSWORD' | 'REPO_TOKEN';
}

export async function setScene({ agent, password }: Kind): Promise<Scene> {
  const fixture = await openFixture();
  const seen = join(fixture.directory, 'seen');
  mkdirSync(join(seen, 'trace'), { recursive: true });
  const forge = await startFakeGitea([CANARIES.TEAM_TRACKER_KEY, CANARIES.REPO_TOKEN]);
  onTestFinished(() => forge.finish());
  for (const name of ['todo', 'in-progress', 'human-review', 'done']) forge.store.label(`aiops/${name}`);
  const notices = await takeNotices();
  const alive: Text[] = [];
  // While git is signed in: whoever has the password is alive now.
  const remote = await serveWithPassword(fixture.remote, `bot:${CANARIES[password]}`, () => {
    for (const child of fixture.processes()) {
      const text = `${child.command}\n${[...child.environment].join('\n')}`;
      // The worker itself has them all.
      if (!child.command.includes(CLI))
        alive.push({ where: `process ${child.command}`, bytes: Buffer.from(text) });
    }
  });
  const header = Buffer.from(`bot:${CANARIES[password]}`).toString('base64');
  const spoken = `#!/bin/sh\necho "You signed in with ${CANARIES[password]}."\necho "Authorization: Basic ${header}"\n`;
  writeFileSync(join(fixture.remote, 'hooks', 'post-receive'), spoken, { mode: 0o755 });
  const address =
    password === 'CLONE_PASSWORD'
      ? remote.url.replace('://', `://bot:${encodeURIComponent(CANARIES.CLONE_PASSWORD)}@`)
      : remote.url.replace('://', '://bot@');
  await fixture.writeWorkflow({
    tracker: { kind: 'gitea', endpoint: forge.origin, path: undefined, api_key: '$TEAM_TRACKER_KEY' },
    repo: { clone_url: '$CLONE_URL', token: '$REPO_TOKEN', owner: 'octo', name: 'app' },
    forge: { kind: 'gitea', endpoint: forge.origin },
    server: { webhooks: { secret: '$HOOK_SECRET' } },
    notifications: {
      webhook_url: '$NOTIFY_URL',
      slack_url: '$SLACK_URL',
      command: record('notice', seen),
      on: ['delivered'],
    },
    hooks: {
      ...Object.fromEntries(HOOKS.map((name) => [name, record(name, seen)])),
      after_run: `${record('after_run', seen)}; echo "not committed" >left.txt`,
    },
    ...agent,
  });
  const env = {
    ...fixture.env,
    ...CANARIES,
    PATH: `${spyingGit(fixture, seen)}:${fixture.env['PATH']}`,
    CLONE_URL: address,
    NOTIFY_URL: `${notices.origin}/${CANARIES.NOTIFY_PATH}`,
    SLACK_URL: `${notices.origin}/${CANARIES.SLACK_PATH}`,
    GIT_TRACE2_EVENT: join(seen, 'trace'),
  };
  return {
    fixture: { ...fixture, env },
    seen,
    forge,
    notices: notices.paths,
    signedIn: remote.signedIn,
    alive,
  };
}
