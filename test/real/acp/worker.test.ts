import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fixture } from '../../e2e/cli/fixture.ts';
import { git } from '../../e2e/cli/git.ts';
import { openFixture, startWorker } from '../../e2e/cli/worker-fixture.ts';
import {
  type GeminiModel,
  type GeminiReply,
  type GeminiRequest,
  startGeminiModel,
  TOKENS_PER_ANSWER,
} from '../../fakes/acp/gemini-model.ts';
import { fakeAcpSettings } from '../../fakes/acp/settings.ts';
import { killWorker } from '../kill-scenarios.ts';
import {
  ageConversations,
  geminiCommand,
  geminiProgram,
  geminiVariables,
  writeGeminiHome,
} from './gemini-fixture.ts';

const shell = (command: string) => ({
  call: 'run_shell_command',
  args: { command, description: 'as asked' },
});
const COMMIT = shell(
  'echo hi > GREETING && git add GREETING && git -c user.name=G -c user.email=g@x.invalid commit -qm Greet && git push -q',
);
const HAND_OFF = { call: 'mcp_aiops_issue_move', args: { state: 'Human Review' } };
const homeOf = (fixture: Fixture): string => join(fixture.directory, 'home');

async function openModel(
  script: (request: GeminiRequest, number: number) => GeminiReply,
): Promise<GeminiModel> {
  const model = await startGeminiModel(script);
  onTestFinished(() => model.close());
  return model;
}

async function openGeminiWorkflow(model: GeminiModel, acp: object = {}): Promise<Fixture> {
  const variables = geminiVariables(model.baseUrl);
  const fixture = await openFixture({
    agent: { default: 'acp', max_concurrent_agents: 2, max_retry_backoff_ms: 300 },
    acp: {
      command: geminiCommand,
      permissions: 'allow',
      env_passthrough: Object.keys(variables),
      ...acp,
    },
  });
  writeGeminiHome(homeOf(fixture));
  return { ...fixture, env: { ...fixture.env, ...variables } };
}

test('a worker takes an issue to Human Review with an agent on the other side of the SDK', async () => {
  const { command } = fakeAcpSettings('happy');
  const fixture = await openFixture({ agent: { default: 'acp' }, acp: { command } });
  await fixture.writeIssue('TASK-0');
  const worker = await startWorker(fixture);
  const ended = await worker.until('the run has ended', ({ ended: rows }) => rows[0] ?? null, {
    withinMs: 100_000,
  });
  expect(ended).toMatchObject({ outcome: 'delivered', new_commits: 1, pushed: true, state: 'Human Review' });
  expect(ended.tokens.total_tokens).toBe(110);
  expect(fixture.agents()).toEqual([]);
});

describe.runIf(geminiProgram !== null)('a worker with the real Gemini', () => {
  test('takes an issue from Todo to Human Review', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { parts: [COMMIT] };
      if (number === 2) return { parts: [{ say: 'The file is there.' }] };
      return { parts: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openGeminiWorkflow(model);
    await fixture.writeIssue('TASK-1', { title: 'Greet the visitor' });
    const worker = await startWorker(fixture);
    const ended = await worker.until('the run has ended', ({ ended: rows }) => rows[0] ?? null, {
      withinMs: 100_000,
    });
    expect(ended).toMatchObject({ outcome: 'delivered', new_commits: 1, turns: 2, state: 'Human Review' });
    expect(ended.tokens.total_tokens).toBe(4 * TOKENS_PER_ANSWER);
    expect(await fixture.issueState('TASK-1')).toBe('Human Review');
    expect(git(fixture.workspace('TASK-1'), 'log', '-1', '--format=%s').trim()).toBe('Greet');
    expect(model.requests[0]?.contents).toContain('Work on TASK-1: Greet the visitor');
    expect(fixture.agents()).toEqual([]);
  });

  test('goes on with the same conversation after the worker was killed', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { parts: [COMMIT] };
      if (number === 2) return 'hang';
      return { parts: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openGeminiWorkflow(model);
    await killWorker(fixture, model, 'TASK-2', () => ageConversations(homeOf(fixture)));
    expect(model.requests[2]?.contents).toContain('GREETING');
    expect(fixture.agents()).toEqual([]);
  });

  test('a question blocks the issue, and the answer lets the agent do exactly that', async () => {
    const model = await openModel((_request, number) => {
      if (number <= 2) return { parts: [COMMIT] };
      return { parts: number === 3 ? [HAND_OFF] : [{ say: 'Handed over.' }] };
    });
    const fixture = await openGeminiWorkflow(model, { permissions: 'ask' });
    await fixture.writeIssue('TASK-3');
    const worker = await startWorker(fixture);
    const blocked = await worker.until('the issue is blocked', ({ blocked: rows }) => rows[0] ?? null, {
      withinMs: 100_000,
    });
    const [approval = ''] = /approve [0-9a-f]{8}/.exec(JSON.stringify(blocked)) ?? [];
    expect(approval).not.toBe('');
    expect(fixture.agents()).toEqual([]);
    await worker.client.act('answer', { issue: 'TASK-3', text: approval });
    const ended = await worker.until(
      'the issue is handed over',
      ({ ended: rows }) => rows.find((row) => row.outcome === 'delivered') ?? null,
      { withinMs: 100_000 },
    );
    expect(ended).toMatchObject({ state: 'Human Review', new_commits: 1 });
  });
});
