import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFixture, startWorker } from './worker-fixture.ts';

const SECRETS = {
  LINEAR_API_KEY: 'dummy-linear-credential',
  GITHUB_TOKEN: 'dummy-github-credential',
  GITEA_TOKEN: 'dummy-gitea-credential',
};
const HOOKS = ['after_create', 'before_run', 'after_run', 'before_remove'] as const;

it.runIf(process.platform === 'linux')(
  'a whole run: all hooks and the agent work in the workspace, and no credential reaches them or the log, which names the issue (R-1-c, R-3.3-a, R-9.4-a, R-9.5-a, R-13.1-a, R-15.2-b, R-15.3-b, R-18.1-h, R-18.2-b)',
  async () => {
    const fixture = await openFixture({
      hooks: Object.fromEntries(
        HOOKS.map((name) => [name, `echo "${name} $PWD" >> ../../hooks; env >> ../../seen`]),
      ),
    });
    await fixture.writeIssue('ENV-1', { mock: { behaviour: 'succeed', step_ms: 200 } });
    const worker = await startWorker({ ...fixture, env: { ...fixture.env, ...SECRETS } });
    const { codex_app_server_pid: pid } = await worker.untilRunning('ENV-1');
    const agent = fixture.agents().find((process) => process.pid === pid);
    expect(agent?.cwd).toBe(fixture.workspace('ENV-1'));
    expect(agent?.environment.get('AIOPS_ISSUE_IDENTIFIER')).toBe('ENV-1');
    expect([...(agent?.environment.values() ?? [])].join('\n')).not.toMatch(/dummy-\w+-credential/);

    await worker.until('ENV-1 is delivered', ({ ended }) => ended[0]?.outcome === 'delivered');
    expect(await fixture.issueState('ENV-1')).toBe('Human Review');
    await fixture.moveIssue('ENV-1', 'Done');
    await worker.until('the workspace is gone', ({ recent_events }) =>
      recent_events.some(({ kind }) => kind === 'workspace_removed'),
    );
    const written = (name: string): Promise<string> => readFile(join(fixture.directory, name), 'utf8');
    expect(await written('hooks')).toBe(
      HOOKS.map((name) => `${name} ${fixture.workspace('ENV-1')}\n`).join(''),
    );
    expect(await written('seen')).toContain('AIOPS_ISSUE_IDENTIFIER=ENV-1');
    expect(await written('seen')).not.toMatch(/dummy-\w+-credential/);
    await worker.end('SIGTERM');
    const aboutIssue = worker
      .log()
      .filter((line) => 'hook' in line || 'workspace' in line || 'run_id' in line);
    expect(new Set(aboutIssue.map(({ hook }) => hook))).toEqual(new Set([...HOOKS, undefined]));
    for (const line of aboutIssue)
      expect(line).toMatchObject({ issue_id: 'ENV-1', issue_identifier: 'ENV-1' });
    expect(worker.stderr()).not.toMatch(/dummy-\w+-credential/);
  },
);
