import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Speaks the Agent Client Protocol with a scripted agent behind it: `agent.mjs SCENARIO`. */
const scenario = process.argv[2];
const deaf = scenario === 'hangs' || scenario === 'ignores_sigterm';
const memory = join(homedir(), '.fake-acp');
const waiting = new Map();
const state = { session: null, servers: [], prompt: null, requests: 0, turns: 0, nextId: 0 };

const print = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (fields) =>
  print({ method: 'session/update', params: { sessionId: state.session, update: fields } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const act = (title) =>
  update({ sessionUpdate: 'tool_call', toolCallId: title, title, kind: 'execute', status: 'pending' });
const ask = (method, params) =>
  new Promise((resolve) => {
    state.nextId += 1;
    waiting.set(state.nextId, resolve);
    print({ id: state.nextId, method, params });
  });

function end(stopReason = 'end_turn') {
  if (state.prompt === null) return;
  state.requests += 1;
  const usage = {
    inputTokens: state.requests * 100,
    outputTokens: state.requests * 10,
    totalTokens: state.requests * 110,
  };
  print({ id: state.prompt, result: { stopReason, usage } });
  state.prompt = null;
}

async function mcp(method, params) {
  const [{ url, headers }] = state.servers;
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}

async function deliver() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  act('git commit');
  appendFileSync('NOTES.md', `turn ${state.turns}\n`);
  git('add', 'NOTES.md');
  git('-c', 'user.name=Fake', '-c', 'user.email=fake@example.invalid', 'commit', '-qm', 'Note the turn');
  git('push', '--quiet', 'origin', 'HEAD');
  await mcp('tools/call', { name: 'issue_move', arguments: { state: 'Human Review' } });
  say('The work is ');
  say('handed over.');
  end();
}

const fail = (message) => {
  print({ id: state.prompt, error: { code: -32603, message } });
  state.prompt = null;
};

const TURNS = {
  several_turns() {
    say(`turn ${state.turns}`);
    end();
  },
  exits_in_turn() {
    act('breaking');
    process.stderr.write('panic\n', () => process.exit(4));
  },
  fails: () => fail('the model refused'),
  meets_quota: () => fail('You have hit your usage limit'),
  hangs: () => act('thinking'),
  works_slowly: () => act('working'),
  ignores_sigterm: () => act('ignoring'),
  async floods() {
    for (let index = 0; index < 1000; index += 1) {
      say('x'.repeat(20_000));
      if (process.stdout.writableLength > 1_000_000)
        await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    await deliver();
  },
  async prints_garbage() {
    process.stdout.write('{"method": broken\n[1,2]\nnot json\n\u0000\n{"id":999,"what":1}\n');
    print({ method: 'session/update', params: 7 });
    await deliver();
  },
  async leaves_grandchild() {
    spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
    await deliver();
  },
  async asks() {
    const toolCall = { toolCallId: 'x', title: 'rm -rf build', rawInput: { command: 'rm -rf build' } };
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const { result } = await ask('session/request_permission', { toolCall, options });
    if (result.outcome.optionId === 'yes') await deliver();
  },
  async calls_unknown_tool() {
    const { result } = await mcp('tools/call', { name: 'format_disk', arguments: {} });
    say(`refused: ${result.isError}`);
    await deliver();
  },
};

const METHODS = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: scenario !== 'takes_no_tools' } },
  }),
  'session/new': ({ mcpServers }) => {
    state.session = randomUUID();
    state.servers = mcpServers;
    mkdirSync(memory, { recursive: true });
    writeFileSync(join(memory, state.session), '');
    return { sessionId: state.session };
  },
  'session/load': ({ sessionId, mcpServers }) => {
    if (!existsSync(join(memory, sessionId))) throw new Error(`no session ${sessionId}`);
    state.session = sessionId;
    state.servers = mcpServers;
    say('what was said before');
    return {};
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.({ result });
  if (method === 'session/cancel') return deaf ? undefined : end('cancelled');
  if (method === 'session/prompt') {
    state.prompt = id;
    state.turns += 1;
    return void (TURNS[scenario] ?? deliver)();
  }
  if (scenario === 'hangs_before_session') return undefined;
  try {
    print({ id, result: METHODS[method](params) });
  } catch (error) {
    print({ id, error: { code: -32602, message: error.message } });
  }
});

if (scenario === 'exits_before_session') {
  process.stderr.write('no configuration\n');
  process.exit(3);
}
if (scenario === 'ignores_sigterm') process.on('SIGTERM', () => {});
if (deaf || scenario === 'hangs_before_session') setInterval(() => {}, 60_000);
else process.stdin.on('end', () => process.exit(0));
