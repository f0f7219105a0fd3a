import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { userMessage } from '../../../src/runners/claude/connection.ts';
import { findAgentSdk } from '../../../src/runners/claude/find-sdk.ts';
import {
  assistantSchema,
  initSchema,
  lifecycleSchema,
  resultSchema,
} from '../../../src/runners/claude/protocol.ts';
import { loadAgentSdk } from '../../../src/runners/claude/sdk.ts';
import { openSdkConnection } from '../../../src/runners/claude/sdk-connection.ts';
import { sdkOptions } from '../../../src/runners/claude/sdk-options.ts';
import { createMcpHandler } from '../../../src/runners/mcp/handler.ts';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { timingOf } from '../../../src/runners/timing.ts';
import { processesOfRun } from '../../contracts/runner-fixture.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';
import { sandboxSettings, sandboxWorks } from '../../fakes/sandboxes.ts';
import {
  claudeBinary,
  claudeVariables,
  describeDrivers,
  never,
  openClaudeFixture,
  sdkFolder,
} from './claude-fixture.ts';

const BASH = (command: string) => ({ call: 'Bash', input: { command, description: 'work' } });
const MOVE = { call: 'mcp__aiops__issue_move', input: { state: 'Human Review' } };

describe.runIf(sdkFolder !== null && claudeBinary !== null)('the real SDK', () => {
  test('has what is used of it, and its messages are as they are read here', async () => {
    const { fixture, environment } = await openClaudeFixture('sdk', () => ({ blocks: [{ say: 'Hello.' }] }));
    const sdk = await loadAgentSdk(findAgentSdk([`${sdkFolder}`]) ?? '');
    const input = fixture.input({ environment });
    const claude = fakeClaudeSettings('', { command: `${claudeBinary}`, model: 'claude-sonnet-4-5' });
    const messages: Readonly<Record<string, unknown>>[] = [];
    const mcp: unknown[] = [];
    const serve = createMcpHandler({
      tools: input.tools,
      answerTool: async () => ({ contentItems: [{ type: 'inputText', text: '{}' }], success: true }),
    });
    let onResult = (): void => {};
    const answered = new Promise<void>((resolve) => (onResult = resolve));
    const connection = await openSdkConnection(
      {
        sdk,
        input,
        clock: systemClock,
        timing: timingOf(claude),
        options: {
          ...sdkOptions(
            claude,
            { create: '11111111-1111-4111-8111-111111111111' },
            { cwd: fixture.workspace, env: environment },
          ),
          pathToClaudeCodeExecutable: 'claude',
        },
        launch: async (_program, args) => ({ command: `${claudeBinary}`, args, env: environment }),
      },
      {
        onPermission: () => ({ behavior: 'deny', message: 'no' }),
        onMcp(message) {
          mcp.push(message);
          return serve(message);
        },
        onMessage(type, message) {
          messages.push(message);
          if (type === 'result') onResult();
        },
        onPulse: () => {},
        onMalformed: (bytes) => expect.unreachable(`${bytes} unreadable bytes`),
        emit: () => {},
      },
    );
    onTestFinished(() => connection.child.terminate());
    await connection.initialize(30_000);
    await connection.say(userMessage('22222222-2222-4222-8222-222222222222', 'hello'));
    await answered;
    const ofType = (type: string) => messages.filter((message) => message['type'] === type);
    expect(mcp[0]).toMatchObject({ jsonrpc: '2.0', method: 'initialize' });
    expect(initSchema.parse(messages.find((message) => message['subtype'] === 'init')).model).toBe(
      'claude-sonnet-4-5',
    );
    expect(assistantSchema.parse(ofType('assistant')[0]).message).toMatchObject({
      content: [{ type: 'text', text: 'Hello.' }],
      usage: { input_tokens: 1000 },
    });
    const result = resultSchema.parse(ofType('result')[0]);
    expect(result).toMatchObject({ subtype: 'success', is_error: false, terminal_reason: 'completed' });
    expect(result.total_cost_usd).toBeGreaterThan(0);
    expect(Object.keys(result.model_usage_since_last_result ?? {})).toEqual(['claude-sonnet-4-5']);
    expect(ofType('command_lifecycle').map((message) => lifecycleSchema.parse(message).state)).toContain(
      'started',
    );
  });

  test('brings its own Claude where there is none on the PATH', async () => {
    const { fixture, environment, open } = await openClaudeFixture('sdk', () => ({
      blocks: [{ say: 'Hi.' }],
    }));
    const folders = (environment['PATH'] ?? '').split(delimiter);
    const PATH = folders.filter((folder) => !existsSync(join(folder, 'claude'))).join(delimiter);
    const session = await open({ command: 'claude' }, { environment: { ...environment, PATH } });
    expect(await session.runTurn('hello', never)).toEqual({ kind: 'completed' });
    const { pid } = await fixture.seen('session_started');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(`${sdkFolder}`);
  });
});

describeDrivers('the real Claude in a sandbox', (driver) => {
  const possible = sandboxWorks('bubblewrap');

  test.runIf(possible)('reaches its tools and its own state, and nothing else', async () => {
    const look = 'touch ../OUTSIDE; touch "$HOME/OUTSIDE"; env > ENVIRONMENT; true';
    const { fixture, model, open, home, environment } = await openClaudeFixture(
      driver,
      (_request, number) => ({
        blocks: [[BASH(look)], [MOVE]][number - 1] ?? [{ say: 'Done.' }],
      }),
    );
    const sandbox = createSandbox(
      sandboxSettings({
        envAllowlist: ['PATH', 'HOME', 'TMPDIR', ...Object.keys(claudeVariables(model.baseUrl))],
      }),
      join(fixture.root, 'mirrors'),
    );
    const claude = { allowedTools: ['Bash'] };
    const first = await open(claude, { environment: { ...environment, UNLISTED: 'seen' } }, sandbox);
    expect(await first.runTurn('Look around.', never)).toEqual({ kind: 'completed' });
    expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_move']);
    expect(readFileSync(join(fixture.workspace, 'ENVIRONMENT'), 'utf8')).not.toContain('UNLISTED');
    const outside = [join(fixture.root, 'OUTSIDE'), join(home, 'OUTSIDE')];
    expect(outside.filter((path) => existsSync(path))).toEqual([]);
    const { sessionId } = await fixture.seen('session_started');
    await first.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
    fixture.clear();
    const second = await open(claude, { resumeSessionId: sessionId }, sandbox);
    expect(await second.runTurn('Go on.', never)).toEqual({ kind: 'completed' });
    expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    expect(model.requests.at(-1)?.messages).toContain('Look around.');
  });
});
