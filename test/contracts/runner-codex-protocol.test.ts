import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { optionsOf } from '../../src/config/kinds.ts';
import { wordsOf } from '../../src/config/schema/shell-words.ts';
import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import type { CodexSettings } from '../../src/runners/codex/settings.ts';
import type { AgentSession } from '../../src/runners/runner.ts';
import { fakeCodexCommand, fakeCodexSettings } from '../fakes/codex/settings.ts';
import { evaluateWorkflow } from '../fakes/workflow-file.ts';
import { createFixture, type Fixture, processesOfRun } from './runner-fixture.ts';

const never = new AbortController().signal;
let fixture: Fixture;
let session: AgentSession | null;

beforeEach(() => {
  fixture = createFixture();
  session = null;
});

afterEach(async () => {
  await session?.stop();
  const survivors = processesOfRun(fixture.runId);
  fixture.dispose();
  expect(survivors).toEqual([]);
});

async function open(scenario: string, readTimeoutMs = 20_000): Promise<AgentSession> {
  const command = fakeCodexCommand(scenario, '--record', join(fixture.root, 'received'));
  const codex = fakeCodexSettings(scenario, { command, readTimeoutMs });
  const timing = { stopGrace: { inputEndMs: 500, termMs: 150 } };
  session = await createCodexRunner({ codex, timing }).start(fixture.input(), never);
  return session;
}

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

function received(): Received[] {
  const lines = readFileSync(join(fixture.root, 'received'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('start-up and turns follow the protocol: one line each, one thread for all turns (R-5.3.6-d, R-10-c, R-10.1-b, R-10.2-a, R-10.2-c, R-10.2-d, R-10.2-l, R-10.3-h, R-17.5-b, R-18.1-j)', async () => {
  const running = await open('several_turns');
  await running.runTurn('first', never);
  await running.runTurn('second', never);
  const messages = received();
  expect(messages.map(({ method }) => method)).toEqual([
    'initialize',
    'initialized',
    'thread/start',
    'thread/name/set',
    'turn/start',
    'turn/start',
  ]);
  expect(messages.every((message) => !('jsonrpc' in message))).toBe(true);
  const { sessionId } = await fixture.seen('session_started');
  const turns = messages.filter(({ method }) => method === 'turn/start');
  expect(turns.map(({ params }) => params?.['threadId'])).toEqual([sessionId, sessionId]);
});

test('the client says who it is and what the run is called (R-10.2-i, R-17.5-c)', async () => {
  await (await open('several_turns')).runTurn('first', never);
  const [initialize, , , name] = received();
  expect(initialize?.params).toMatchObject({
    clientInfo: { name: 'aiops-platform', title: 'AIOps Platform', version: expect.stringMatching(/^\d/) },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  expect(name?.params).toMatchObject({ name: 'ENG-7: Greet the visitor' });
});

test('the ids of thread and turn are the ones the server returned (R-10.2-k, R-17.5-e)', async () => {
  await (await open('shows_request')).runTurn('first', never);
  const { ids } = JSON.parse((await fixture.seen('activity')).text);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  const { sessionId } = await fixture.seen('session_started');
  const { turnId } = await fixture.seen('turn_started');
  expect([sessionId, turnId]).toEqual(ids);
});

test('a server that does not answer in read_timeout_ms is a typed timeout (R-10.6-a, R-17.5-f)', async () => {
  await expect(open('hangs_before_session', 300)).rejects.toMatchObject({
    code: 'response_timeout',
    hint: expect.stringContaining('codex.read_timeout_ms'),
  });
  expect(fixture.events).toEqual([
    { type: 'startup_failed', stage: 'initialize', message: expect.any(String) },
  ]);
});

test('long lines are read and stderr is never taken for the protocol (R-10.1-d, R-17.5-h, R-17.5-i)', async () => {
  expect(await (await open('says_much')).runTurn('speak', never)).toEqual({ kind: 'completed' });
  const said = await fixture.seen('activity');
  expect(said.text).toMatch(/^begin x+$/);
  expect(said.text).toHaveLength(2000);
  expect(fixture.events.filter(({ type }) => type === 'malformed')).toEqual([]);
});

test('R-18.1-k without a command of the workflow, `codex app-server` is launched from the PATH', async () => {
  const workflow = '---\ntracker: {kind: local}\nagent: {default: codex-app-server}\n---\nGo.';
  const { config } = evaluateWorkflow(workflow, { file: '/flows/WORKFLOW.md', environment: {} });
  const [, fake = ''] = wordsOf(fakeCodexCommand('happy'));
  const script = `#!/bin/sh\necho "$*" > "$HOME/arguments"\nexec '${process.execPath}' '${fake}' "$@"\n`;
  writeFileSync(join(fixture.root, 'codex'), script, { mode: 0o755 });
  const environment = { ...fixture.environment, PATH: `${fixture.root}:${fixture.environment['PATH']}` };
  const codex = {
    ...optionsOf<CodexSettings>({ options: config.agents['codex'] ?? {} }),
    readTimeoutMs: 20_000,
  };
  session = await createCodexRunner({ codex }).start(fixture.input({ environment }), never);
  expect(await session.runTurn('go', never)).toEqual({ kind: 'completed' });
  expect(readFileSync(join(fixture.root, 'arguments'), 'utf8')).toBe('app-server\n');
});
