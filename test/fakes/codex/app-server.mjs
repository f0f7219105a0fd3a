import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { threadOpened, turn, usage } from './messages.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { createWire } from './wire.mjs';

/**
 * Speaks the protocol of `codex app-server` with a scripted agent behind it: `app-server.mjs --scenario NAME`.
 * Threads are kept in the home directory, as Codex keeps its own, so that they can be resumed.
 */
const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'happy' },
    megabytes: { type: 'string', default: '20' },
    record: { type: 'string' },
    rate: { type: 'string', default: '200' },
  },
  allowPositionals: true,
});
const scenario = SCENARIOS[values.scenario];
if (scenario === undefined) throw new Error(`there is no scenario ${values.scenario}`);

const memory = join(homedir(), '.fake-codex');
const memoryOf = (id) => join(memory, `${id}.json`);
const state = {
  thread: null,
  cwd: '',
  requests: 0,
  turns: 0,
  current: null,
  interrupted: false,
  steered: [],
  finished: [],
};

function save() {
  mkdirSync(memory, { recursive: true });
  writeFileSync(memoryOf(state.thread), JSON.stringify({ requests: state.requests }));
}

const agent = {
  state,
  options: values,
  params: null,
  notify: (method, params = {}) =>
    wire.notify(method, { threadId: state.thread, turnId: state.current, ...params }),
  request: (method, params, id) =>
    wire.request(method, { threadId: state.thread, turnId: state.current, ...params }, id),
  print: (message) => wire.print(message),
  started: (item) => agent.notify('item/started', { item, startedAtMs: 1 }),
  completed: (item) => agent.notify('item/completed', { item, completedAtMs: 2 }),
  /** Another request to the model was paid for. */
  spend() {
    state.requests += 1;
    save();
    agent.notify('thread/tokenUsage/updated', { tokenUsage: usage(state.requests, 1) });
  },
  /** Ends the turn, unless it was ended already. */
  end(status = 'completed', error = null) {
    if (state.current === null) return;
    const ended = turn(state.current, status, error);
    state.current = null;
    state.finished.unshift(ended);
    wire.notify('thread/status/changed', { threadId: state.thread, status: { type: 'idle' } });
    if (!scenario.losesEnd) wire.notify('turn/completed', { threadId: state.thread, turn: ended });
    else
      wire.print({
        method: 'turn/completed',
        params: { threadId: state.thread, turn: { ...ended, padding: 'x'.repeat(11 * 1024 * 1024) } },
      });
  },
  async tool(name, args) {
    const callId = `call-${randomUUID()}`;
    return agent.request('item/tool/call', { callId, namespace: null, tool: name, arguments: args });
  },
};

const wire = createWire(
  {
    initialize: () =>
      scenario.silentStart
        ? undefined
        : {
            result: {
              userAgent: 'aiops-platform/0.166.0 (fake)',
              codexHome: memory,
              platformFamily: 'unix',
              platformOs: 'linux',
            },
            after: () =>
              wire.print({ method: 'remoteControl/status/changed', params: { status: 'disabled' } }),
          },
    'thread/start': (params) => {
      if (scenario.threadError) return { error: { code: -32600, message: scenario.threadError } };
      state.thread = randomUUID();
      state.cwd = params.cwd;
      agent.params = params;
      save();
      const result = threadOpened(state.thread, params);
      return { result, after: () => wire.notify('thread/started', { thread: result.thread }) };
    },
    'thread/resume': (params) => {
      if (!existsSync(memoryOf(params.threadId)))
        return { error: { code: -32600, message: `thread not found: ${params.threadId}` } };
      state.thread = params.threadId;
      state.cwd = params.cwd;
      state.requests = JSON.parse(readFileSync(memoryOf(params.threadId), 'utf8')).requests;
      const before = { threadId: state.thread, turnId: 'earlier', tokenUsage: usage(state.requests, 1) };
      return {
        result: threadOpened(state.thread, params),
        after: () => wire.notify('thread/tokenUsage/updated', before),
      };
    },
    'thread/name/set': () => ({ result: {} }),
    'thread/turns/list': () => ({
      result: { data: state.finished, nextCursor: null, backwardsCursor: null },
    }),
    'thread/backgroundTerminals/clean': () => ({ result: {} }),
    'turn/start': (params) => {
      state.turns += 1;
      state.interrupted = false;
      state.current = randomUUID();
      const begun = turn(state.current);
      return {
        result: { turn: begun },
        after: async () => {
          wire.notify('turn/started', { threadId: state.thread, turn: begun });
          await scenario.turn(agent, params);
        },
      };
    },
    'turn/steer': ({ expectedTurnId, input }) => {
      if (expectedTurnId !== state.current)
        return { error: { code: -32600, message: 'no such active turn' } };
      state.steered.push(input[0].text);
      return { result: { turnId: state.current }, after: () => scenario.steered?.(agent, input[0].text) };
    },
    'turn/interrupt': () => {
      if (scenario.deaf) return undefined;
      return { result: {}, after: () => agent.end('interrupted') };
    },
  },
  values.record,
);

scenario.start?.(agent);
if (!scenario.deaf) process.stdin.on('end', () => process.exit(0));
