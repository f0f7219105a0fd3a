import { expect, test } from 'vitest';
import { buildChildEnvironment } from '../../../src/process/children/environment.ts';
import { RUN_OWNER_VARIABLE } from '../../../src/process/children/orphans.ts';
import { processSandbox, startFake } from './fixture.ts';

const sandbox = processSandbox();

test('the whole environment of a real agent process, out of a worker that holds credentials (R-3.3-a, R-10.5-n)', async () => {
  const env = buildChildEnvironment({
    source: {
      ...sandbox.env,
      HOME: '/home/worker',
      USER: 'worker',
      LANG: 'C.UTF-8',
      SHELL: '/bin/zsh',
      SSH_AUTH_SOCK: '/tmp/agent.sock',
      NODE_OPTIONS: '--no-warnings',
      CODEX_HOME: '/home/worker/.codex',
      LINEAR_API_KEY: 'dummy-linear-key',
      GitHub_Token: 'dummy-github-token',
      TEAM_TRACKER_KEY: 'dummy-team-key',
      CLONE_URL: 'https://x:dummy-team-key@example.test/repo.git',
    },
    passthrough: [
      'AIOPS_TEST_MARK',
      'CODEX_HOME',
      'LINEAR_API_KEY',
      'GitHub_Token',
      'TEAM_TRACKER_KEY',
      'CLONE_URL',
    ],
    denyNames: ['team_tracker_key'],
    denyValues: ['dummy-team-key'],
    extra: { [RUN_OWNER_VARIABLE]: 'worker-1' },
  });
  const child = await startFake(sandbox, ['print-environment'], { env, runId: 'run-1' });
  await child.exited;
  expect(JSON.parse(child.lines.join(''))).toEqual({
    ...sandbox.env,
    HOME: '/home/worker',
    USER: 'worker',
    LANG: 'C.UTF-8',
    CODEX_HOME: '/home/worker/.codex',
    AIOPS_RUN_OWNER: 'worker-1',
    AIOPS_RUN_ID: 'run-1',
  });
});
