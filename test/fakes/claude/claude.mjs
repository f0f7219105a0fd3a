import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SCENARIOS } from './scenarios.mjs';

/**
 * Speaks as `claude -p` does in stream-json mode, with a scripted agent behind it: `claude.mjs --scenario NAME …`.
 * Conversations are kept in the home directory, as Claude keeps its own, so that they can be resumed.
 */
const argv = process.argv.slice(2);
const optionOf = (name) => {
  const joined = argv.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  return argv.includes(name) ? argv[argv.indexOf(name) + 1] : null;
};
const scenario = SCENARIOS[optionOf('--scenario')];
if (scenario === undefined) throw new Error(`there is no scenario ${optionOf('--scenario')}`);

const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

if (optionOf('--output-format') !== 'stream-json') {
  let prompt = '';
  for await (const chunk of process.stdin) prompt += chunk;
  await scenario.text?.(prompt);
  process.exit(process.exitCode ?? 0);
}
if (!argv.includes('--verbose')) throw new Error('stream-json needs --verbose');
if (!argv.includes('--print') && optionOf('--input-format') !== 'stream-json')
  throw new Error('stream-json needs --print or --input-format stream-json');

const memory = join(homedir(), '.fake-claude');
const fileOf = (id) => join(memory, `${id}.json`);
const resumed = optionOf('--resume');
const state = { id: resumed ?? optionOf('--session-id'), requests: 0, turns: 0, current: false, argv };
const since = { tokens: 0, requests: 0 };

if (resumed !== null && !existsSync(fileOf(resumed))) {
  process.stderr.write(`No conversation found with session ID: ${resumed}\n`);
  print({
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [],
    session_id: resumed,
  });
  process.exit(1);
}
if (resumed !== null) state.requests = JSON.parse(readFileSync(fileOf(resumed), 'utf8')).requests;
const save = () => {
  mkdirSync(memory, { recursive: true });
  writeFileSync(fileOf(state.id), JSON.stringify({ requests: state.requests }));
};

const waiting = new Map();
let nextId = 0;
const modelUsage = (requests) => ({
  'fake-model': {
    inputTokens: requests * 1000,
    outputTokens: requests * 50,
    cacheReadInputTokens: requests * 200,
    cacheCreationInputTokens: requests * 100,
    costUSD: requests * 0.5,
  },
});

const agent = {
  state,
  print,
  /** Asks the client, as for a permission or a tool. */
  ask(request) {
    nextId += 1;
    const request_id = `ask-${nextId}`;
    return new Promise((resolve) => {
      waiting.set(request_id, resolve);
      print({ type: 'control_request', request_id, request });
    });
  },
  async mcp(method, params, id = 7) {
    const message = { jsonrpc: '2.0', id, method, params };
    const answer = await agent.ask({ subtype: 'mcp_message', server_name: 'aiops', message });
    return answer.response.mcp_response;
  },
  /** One answer of the model. */
  says(...content) {
    state.requests += 1;
    since.requests += 1;
    save();
    const usage = {
      input_tokens: 1000,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 100,
      output_tokens: 1,
    };
    const message = { id: `msg-${state.requests}`, role: 'assistant', model: 'fake-model', content, usage };
    print({ type: 'assistant', message, session_id: state.id });
  },
  /** Resolves when something is said to it in the middle of its turn. */
  async told() {
    while (queue.length === 0) await new Promise((resolve) => said.once('said', resolve));
  },
  /** Resolves with what is said to it in the middle of its turn, once it turns to that. */
  async listen() {
    await agent.told();
    const { uuid, text } = queue.shift();
    tellLifecycle(uuid, 'started');
    return text;
  },
  end(fields = {}) {
    if (!state.current) return;
    state.current = false;
    print({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      session_id: state.id,
      total_cost_usd: state.requests * 0.5,
      usage: { input_tokens: since.requests * 1000, output_tokens: since.requests * 50 },
      modelUsage: modelUsage(state.requests),
      ...(scenario.old ? {} : { model_usage_since_last_result: modelUsage(since.requests) }),
      ...fields,
    });
    since.requests = 0;
    const next = queue.shift();
    if (next !== undefined) begin(next);
  },
};

const queue = [];
const said = new EventEmitter();
const tellLifecycle = (command_uuid, became) => {
  if (!scenario.old) print({ type: 'command_lifecycle', command_uuid, state: became, session_id: state.id });
};

function begin({ uuid, text }) {
  tellLifecycle(uuid, 'started');
  state.turns += 1;
  state.current = true;
  save();
  print({ type: 'system', subtype: 'init', session_id: state.id, model: 'fake-model', tools: [] });
  void scenario.turn(agent, text);
}

async function onRequest({ request_id, request }) {
  const agree = (response = {}) =>
    print({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  if (request.subtype === 'initialize') {
    if (scenario.silentStart) return;
    if (request.sdkMcpServers?.includes('aiops'))
      await agent.mcp('initialize', { protocolVersion: '2025-11-25' });
    agree({ commands: [] });
  } else if (request.subtype === 'interrupt' && !scenario.deaf) {
    if (request.cancel_queued) for (const { uuid } of queue.splice(0)) tellLifecycle(uuid, 'cancelled');
    agree();
    agent.end({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [],
      terminal_reason: 'aborted_streaming',
    });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_request') return void onRequest(message);
  if (message.type === 'control_response') {
    waiting.get(message.response.request_id)?.(message.response);
    return;
  }
  const {
    uuid,
    message: { content },
  } = message;
  tellLifecycle(uuid, 'queued');
  if (!state.current) return begin({ uuid, text: content[0].text });
  queue.push({ uuid, text: content[0].text });
  said.emit('said');
});

scenario.start?.(agent);
if (!scenario.deaf) process.stdin.on('end', () => process.exit(0));
