import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AcpConfig } from '../../src/config/config.ts';
import { createAcpRunner } from '../../src/runners/acp/runner.ts';
import { startMcpServer } from '../../src/runners/mcp/http-server.ts';
import type { AgentSession, SessionInput } from '../../src/runners/runner.ts';
import { fakeAcpSettings } from '../fakes/acp/settings.ts';
import { createStage, isOfType, type Stage, TOOLS } from './runner-stage.ts';

const never = new AbortController().signal;
let stage: Stage;
let sessions: AgentSession[] = [];

beforeEach(() => {
  stage = createStage();
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop()));
  sessions = [];
  stage.dispose();
});

async function open(
  scenario: string,
  acp: Partial<AcpConfig> = {},
  input: Partial<SessionInput> = {},
): Promise<AgentSession> {
  const timing = { interruptGraceMs: 300, stopGrace: { inputEndMs: 150, termMs: 150 } };
  const runner = createAcpRunner({ acp: fakeAcpSettings(scenario, acp), timing });
  const session = await runner.start(stage.input(input), never);
  sessions.push(session);
  return session;
}

const run = (session: AgentSession) => session.runTurn('Do the work.', never);
const said = (): string[] =>
  stage.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : []));

test('chunks of a message are one activity', async () => {
  await run(await open('happy'));
  expect(said()).toEqual(['git commit', 'The work is handed over.']);
});

test('what a resumed session replays is not reported again; an unknown one is followed by a new one', async () => {
  const first = await open('several_turns');
  await run(first);
  const { sessionId } = await stage.seen('session_started');
  await first.stop();
  stage.clear();
  await run(await open('several_turns', {}, { resumeSessionId: sessionId }));
  expect(said()).toEqual(['turn 1']);
  stage.clear();
  await open('several_turns', {}, { resumeSessionId: 'nobody' });
  expect(stage.events[0]).toMatchObject({ type: 'session_started', resumed: false });
});

test('a permission is a question whose code allows exactly it, or granted by the workflow', async () => {
  const asked = await run(await open('asks'));
  if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${asked.kind}`);
  expect(asked.question).toContain('rm -rf build');
  const code = /approve [0-9a-f]{8}/.exec(asked.question)?.[0] ?? '';
  const wrong = await run(await open('asks', {}, { answer: 'approve 00000000' }));
  expect(wrong.kind).toBe('input_required');
  expect(await run(await open('asks', {}, { answer: code }))).toEqual({ kind: 'completed' });
  expect(await run(await open('asks', { permissions: 'allow' }))).toEqual({ kind: 'completed' });
});

test('silence beyond acp.turn_timeout_ms ends the turn', async () => {
  const result = await run(await open('works_slowly', { turnTimeoutMs: 300 }));
  expect(result).toMatchObject({
    kind: 'timed_out',
    message: expect.stringContaining('acp.turn_timeout_ms'),
  });
});

test('an agent that takes no tools over HTTP is said to have none', async () => {
  const warnings: string[] = [];
  const { logger } = stage.input();
  await open('takes_no_tools', {}, { logger: { ...logger, warn: (text) => void warnings.push(text) } });
  expect(warnings.join()).toContain('takes no tools over HTTP');
});

test('a program that is not there fails the start', async () => {
  await expect(open('', { command: '/no/such/agent' })).rejects.toMatchObject({ code: 'agent_not_found' });
});

describe('the tools on loopback', () => {
  async function serve() {
    const server = await startMcpServer({
      tools: TOOLS,
      answerTool: async ({ name }) => ({
        contentItems: [{ type: 'inputText', text: name }],
        success: name !== 'bad',
      }),
    });
    onTestFinished(() => server.close());
    const post = (body: string, headers: Record<string, string> = { authorization: server.authorization }) =>
      fetch(server.url, { method: 'POST', headers, body });
    const call = async (method: string, params?: object): Promise<unknown> =>
      (await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }))).json();
    return { server, post, call };
  }

  test('answer as an MCP server', async () => {
    const { call, post } = await serve();
    expect(await call('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      id: 0,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    });
    expect(await call('tools/list')).toMatchObject({
      result: { tools: [{ name: 'issue_move' }, { name: 'issue_comment' }] },
    });
    const content = [{ type: 'text', text: 'bad' }];
    expect(await call('tools/call', { name: 'bad' })).toMatchObject({ result: { content, isError: true } });
    expect(await call('tools/call', {})).toMatchObject({ error: { code: -32602 } });
    expect(await call('resources/list')).toMatchObject({ error: { code: -32601 } });
    expect((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  });

  test('are closed to whoever does not know the secret of the session, and to nonsense', async () => {
    const { server, post } = await serve();
    const other = await serve();
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await post(list, {})).status).toBe(401);
    expect((await post(list, { authorization: other.server.authorization })).status).toBe(401);
    expect((await post(list, { authorization: `${server.authorization}0` })).status).toBe(401);
    expect((await post('x'.repeat(5_000_000))).status).toBe(413);
    expect(await (await post('not json')).json()).toMatchObject({ error: { code: -32600 } });
    expect(await (await post('[]')).json()).toMatchObject({ error: { code: -32600 } });
    const headers = { authorization: server.authorization };
    expect((await fetch(server.url, { headers })).status).toBe(405);
    expect((await fetch(`${server.url}x`, { method: 'POST', headers })).status).toBe(404);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });
});
