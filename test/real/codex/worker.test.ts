import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../e2e/cli/git.ts';
import { startWorker } from '../../e2e/cli/worker-fixture.ts';
import { killWorker } from '../kill-scenarios.ts';
import { codexBinary } from './codex-fixture.ts';
import { openCodexWorkflow, openModel } from './codex-workflow.ts';

const COMMIT =
  'echo hi > GREETING && git add GREETING && git -c user.name=C -c user.email=c@x.invalid commit -qm Greet && git push -q';
const HAND_OFF = { call: 'issue_move', args: { state: 'Human Review' } };

describe.runIf(codexBinary !== null)('a worker with the real Codex', () => {
  test('takes an issue from Todo to Human Review', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { items: [{ call: 'exec_command', args: { cmd: COMMIT } }] };
      if (number === 2) return { items: [{ say: 'The file is there.' }] };
      return number === 3 ? { items: [HAND_OFF] } : { items: [{ say: 'Handed over.' }] };
    });
    const fixture = await openCodexWorkflow(model);
    await fixture.writeIssue('TASK-1', { title: 'Greet the visitor' });
    const worker = await startWorker(fixture);
    const ended = await worker.until('the run has ended', ({ ended: rows }) => rows[0] ?? null, {
      withinMs: 60_000,
    });
    expect(ended).toMatchObject({ outcome: 'delivered', new_commits: 1, turns: 2, state: 'Human Review' });
    expect(ended.tokens.total_tokens).toBe(4200);
    expect(await fixture.issueState('TASK-1')).toBe('Human Review');
    expect(git(fixture.workspace('TASK-1'), 'log', '-1', '--format=%s').trim()).toBe('Greet');
    expect(git(fixture.workspace('TASK-1'), 'status', '--porcelain').trim()).toBe('');
    expect(model.requests[0]?.input).toContain('Work on TASK-1: Greet the visitor');
    expect(model.requests[2]?.input).not.toMatch(/Work on TASK-1.*Work on TASK-1/s);
    expect(fixture.agents()).toEqual([]);
  });

  test('goes on with the same thread after the worker was killed', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { items: [{ call: 'exec_command', args: { cmd: COMMIT } }] };
      if (number === 2) return 'hang';
      return number === 3 ? { items: [HAND_OFF] } : { items: [{ say: 'Handed over.' }] };
    });
    const fixture = await openCodexWorkflow(model);
    await killWorker(fixture, model, 'TASK-2');
    expect(model.requests[2]?.input).toMatch(/GREETING/);
    expect(git(fixture.workspace('TASK-2'), 'rev-list', '--count', 'origin/main..HEAD').trim()).toBe('1');
  });

  test('a question blocks the issue, and the answer lets the agent do exactly that', async () => {
    const escalate = {
      cmd: 'touch ../escaped',
      sandbox_permissions: 'require_escalated',
      justification: 'asked to',
    };
    const model = await openModel((_request, number) => {
      if (number <= 2) return { items: [{ call: 'exec_command', args: escalate }] };
      return number === 3 ? { items: [HAND_OFF] } : { items: [{ say: 'Done.' }] };
    });
    const fixture = await openCodexWorkflow(model, { codex: { approval_policy: 'on-request' } });
    await fixture.writeIssue('TASK-3');
    const worker = await startWorker(fixture);
    const blocked = await worker.until('the issue is blocked', ({ blocked: rows }) => rows[0] ?? null, {
      withinMs: 60_000,
    });
    expect(JSON.stringify(blocked)).toContain('touch ../escaped');
    const [approval = ''] = /approve [0-9a-f]{8}/.exec(JSON.stringify(blocked)) ?? [];
    expect(approval).not.toBe('');
    expect(fixture.agents()).toEqual([]);
    expect(existsSync(join(fixture.workspaces, 'escaped'))).toBe(false);
    await worker.client.act('answer', { issue: 'TASK-3', text: approval });
    const ended = await worker.until(
      'the issue is handed over',
      ({ ended: rows }) => rows.find((row) => row.outcome === 'delivered') ?? null,
      { withinMs: 60_000 },
    );
    expect(ended.state).toBe('Human Review');
    expect(existsSync(join(fixture.workspaces, 'escaped'))).toBe(true);
    expect(model.requests[1]?.input).toContain(approval);
  });
});

describe.runIf(codexBinary !== null && process.platform === 'linux')('tracker credentials', () => {
  const TOKENS = {
    LINEAR_API_KEY: 'lin_api_dummy_not_a_key_0001',
    GITHUB_TOKEN: 'ghp_dummy_not_a_key_0002',
    gitea_token: 'gitea_dummy_not_a_key_0003',
  };
  const PROFILE_TOKEN = 'profile_dummy_not_a_key_0004';

  test('R-10.5-n R-17.5-s reach nothing of the agent: not its environment, arguments, files or messages', async () => {
    const dump =
      'env > ENVIRONMENT; cat /proc/*/environ /proc/*/cmdline > PROCESSES 2>/dev/null; sleep 1; true';
    const model = await openModel((_request, number) => {
      if (number === 1) return { items: [{ call: 'exec_command', args: { cmd: dump } }] };
      return number === 2 ? { items: [HAND_OFF] } : 'hang';
    });
    const fixture = await openCodexWorkflow(model, {
      codex: {
        env_passthrough: ['COPY_OF_TOKEN', 'FROM_PROFILE', 'HARMLESS'],
      },
    });
    const profile = `export LINEAR_TOKEN=${PROFILE_TOKEN}\nexport FROM_PROFILE=${PROFILE_TOKEN}\nexport PATH="$PATH:/from/profile"\necho welcome\n`;
    writeFileSync(join(fixture.directory, 'home', '.bash_profile'), profile);
    chmodSync(join(fixture.directory, 'home', '.bash_profile'), 0o600);
    await fixture.writeIssue('TASK-4');
    const env = {
      ...fixture.env,
      ...TOKENS,
      COPY_OF_TOKEN: `Bearer ${TOKENS.LINEAR_API_KEY}`,
      HARMLESS: 'yes',
    };
    const worker = await startWorker({ ...fixture, env });
    await model.seen(3);
    const agents = fixture.agents();
    expect(agents.length).toBeGreaterThan(0);
    const codex = agents.find(({ command }) => command.includes('app-server'));
    expect([...(codex?.environment.keys() ?? [])].toSorted()).toEqual(EXPECTED_NAMES.toSorted());
    expect(codex?.environment.get('PATH')).toMatch(/:\/from\/profile(?=:|$)/);
    const workspace = fixture.workspace('TASK-4');
    const seen = [
      ...agents.flatMap(({ pid }) =>
        [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].map((path) => readFileSync(path)),
      ),
      ...filesBelow(workspace).map((path) => readFileSync(path)),
      ...filesBelow(join(fixture.directory, 'home', '.codex')).map((path) => readFileSync(path)),
      Buffer.from(JSON.stringify(model.requests.map(({ body, headers }) => [body, headers]))),
    ];
    expect(Buffer.concat(seen).length).toBeGreaterThan(10_000);
    for (const token of [...Object.values(TOKENS), PROFILE_TOKEN]) {
      for (const form of [
        token,
        Buffer.from(token).toString('base64').slice(0, -4),
        encodeURIComponent(token),
      ]) {
        expect(seen.filter((bytes) => bytes.includes(form)).length, `places with ${form}`).toBe(0);
      }
    }
    expect(readFileSync(join(workspace, 'ENVIRONMENT'), 'utf8')).toContain('HARMLESS=yes');
    await worker.end('SIGTERM');
  });
});

/** The agent's whole environment: the baseline, what the workflow passes on, and what the worker adds. */
const EXPECTED_NAMES = [
  ...['PATH', 'HOME', 'LANG', 'TMPDIR', 'HARMLESS'],
  ...['XDG_CACHE_HOME', 'GOCACHE', 'npm_config_cache', 'PIP_CACHE_DIR'],
  ...['AIOPS_ISSUE_ID', 'AIOPS_ISSUE_IDENTIFIER', 'AIOPS_ISSUE_STATE', 'AIOPS_WORKSPACE', 'AIOPS_ATTEMPT'],
  ...['AIOPS_BRANCH', 'AIOPS_BASE_BRANCH', 'AIOPS_RUN_OWNER', 'AIOPS_RUN_ID'],
];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return readlinkSync(path) === '' ? [path] : [];
    return entry.isFile() ? [path] : [];
  });
}
