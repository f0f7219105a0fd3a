import { expect, onTestFinished, test } from 'vitest';
import type { Fixture } from '../../e2e/cli/fixture.ts';
import { git } from '../../e2e/cli/git.ts';
import { openFixture, startWorker } from '../../e2e/cli/worker-fixture.ts';
import {
  type MessageReply,
  type MessageRequest,
  type MessagesServer,
  startMessagesServer,
  TOKENS_PER_ANSWER,
} from '../../fakes/claude/messages-server.ts';
import { killWorker } from '../kill-scenarios.ts';
import { claudeBinary, claudeVariables, describeClaude } from './claude-fixture.ts';

const COMMIT = {
  call: 'Bash',
  input: {
    command:
      'echo hi > GREETING && git add GREETING && git -c user.name=C -c user.email=c@x.invalid commit -qm Greet && git push -q',
    description: 'Greet',
  },
};
const HAND_OFF = { call: 'mcp__aiops__issue_move', input: { state: 'Human Review' } };

async function openModel(
  script: (request: MessageRequest, number: number) => MessageReply,
): Promise<MessagesServer> {
  const model = await startMessagesServer(script);
  onTestFinished(() => model.close());
  return model;
}

async function openClaudeWorkflow(model: MessagesServer, claude: object = {}): Promise<Fixture> {
  const variables = claudeVariables(model.baseUrl);
  const fixture = await openFixture({
    agent: { default: 'claude', max_concurrent_agents: 2, max_retry_backoff_ms: 300 },
    claude: {
      command: `${claudeBinary}`,
      model: 'claude-sonnet-4-5',
      env_passthrough: Object.keys(variables),
      allowed_tools: ['Bash'],
      ...claude,
    },
  });
  return { ...fixture, env: { ...fixture.env, ...variables } };
}

describeClaude('a worker with the real Claude', () => {
  test('takes an issue from Todo to Human Review', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { blocks: [COMMIT] };
      if (number === 2) return { blocks: [{ say: 'The file is there.' }] };
      return { blocks: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openClaudeWorkflow(model);
    await fixture.writeIssue('TASK-1', { title: 'Greet the visitor' });
    const worker = await startWorker(fixture);
    const ended = await worker.until('the run has ended', ({ ended: rows }) => rows[0] ?? null, {
      withinMs: 60_000,
    });
    expect(ended).toMatchObject({ outcome: 'delivered', new_commits: 1, turns: 2, state: 'Human Review' });
    expect(ended.tokens.total_tokens).toBe(4 * TOKENS_PER_ANSWER);
    expect(await fixture.issueState('TASK-1')).toBe('Human Review');
    expect(git(fixture.workspace('TASK-1'), 'log', '-1', '--format=%s').trim()).toBe('Greet');
    expect(model.requests[0]?.messages).toContain('Work on TASK-1: Greet the visitor');
    expect(fixture.agents()).toEqual([]);
  });

  test('goes on with the same conversation after the worker was killed', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { blocks: [COMMIT] };
      if (number === 2) return 'hang';
      return { blocks: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openClaudeWorkflow(model);
    await killWorker(fixture, model, 'TASK-2');
    expect(model.requests[2]?.messages).toMatch(/GREETING/);
  });

  test('goes on with the same conversation after Claude was killed', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { blocks: [COMMIT] };
      if (number === 2) return 'hang';
      return { blocks: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openClaudeWorkflow(model);
    await fixture.writeIssue('TASK-5');
    const worker = await startWorker(fixture);
    await model.seen(2);
    const before = await worker.untilRunning('TASK-5', (row) => row.session_id !== '');
    for (const { pid } of fixture.agents()) process.kill(pid, 'SIGKILL');
    const ended = await worker.until(
      'a run has delivered',
      ({ ended: rows }) => rows.find(({ outcome }) => outcome === 'delivered') ?? null,
      { withinMs: 60_000 },
    );
    expect(ended).toMatchObject({ commits: 1, state: 'Human Review' });
    expect(JSON.stringify(await worker.client.state())).toContain(before.session_id.slice(0, 36));
    expect(model.requests[2]?.messages).toMatch(/GREETING/);
    expect(fixture.agents()).toEqual([]);
  });

  test('a question blocks the issue and ends its processes', async () => {
    const model = await openModel(() => ({
      blocks: [{ call: 'Bash', input: { command: 'mkfifo pipe', description: 'x' } }],
    }));
    const fixture = await openClaudeWorkflow(model, { allowed_tools: [], permission_mode: 'default' });
    await fixture.writeIssue('TASK-3');
    const worker = await startWorker(fixture);
    const blocked = await worker.until('the issue is blocked', ({ blocked: rows }) => rows[0] ?? null, {
      withinMs: 60_000,
    });
    expect(JSON.stringify(blocked)).toMatch(/mkfifo pipe.*approve [0-9a-f]{8}/);
    expect(fixture.agents()).toEqual([]);
  });

  test('a used-up quota is waited for, with what the API said', async () => {
    const model = await openModel(() => ({
      status: 429,
      type: 'rate_limit_error',
      message: 'limit reached',
    }));
    const fixture = await openClaudeWorkflow(model);
    await fixture.writeIssue('TASK-4');
    const worker = await startWorker(fixture);
    const waiting = await worker.until('the issue waits', ({ retrying: rows }) => rows[0] ?? null, {
      withinMs: 30_000,
    });
    expect(JSON.stringify(waiting)).toMatch(/quota/);
    expect(JSON.stringify(waiting)).toContain('limit reached');
    expect(model.requests).toHaveLength(1);
  });
});
