import { spawn } from 'node:child_process';
import { messageItem, turnError } from './messages.mjs';
import { streamEvents, streamSteadily } from './streams.mjs';
import { deliver, say } from './work.mjs';

const stayAlive = () => setInterval(() => {}, 60_000);

function fail(info, message) {
  return { turn: (agent) => agent.end('failed', turnError(info, message)) };
}

function approval(agent, extra = {}) {
  return agent.request('item/commandExecution/requestApproval', {
    kind: 'command',
    itemId: 'cmd-9',
    startedAtMs: 1,
    environmentId: null,
    command: 'git push --force',
    cwd: agent.state.cwd,
    reason: 'it needs the network',
    ...extra,
  });
}

/** Does as the decision says, like Codex: a cancelled request ends the turn. */
async function followDecision(agent, { result, error }) {
  const decision = error === undefined ? result.decision : 'decline';
  say(agent, `decision: ${decision}`);
  if (decision === 'cancel') agent.end('interrupted');
  else await deliver(agent);
}

/** What the agent behind the fake app-server can be told to do. */
export const SCENARIOS = {
  happy: { turn: deliver },
  several_turns: {
    async turn(agent) {
      agent.spend();
      say(agent, `turn ${agent.state.turns}`);
      agent.end();
    },
  },
  exits_before_session: {
    start() {
      process.stderr.write('no configuration\n');
      process.exit(3);
    },
  },
  exits_in_turn: {
    turn(agent) {
      say(agent, 'about to break');
      process.stderr.write('panic\n', () => process.exit(4));
    },
  },
  fails: fail('other', 'the model refused'),
  refuses_thread: { threadError: 'no thread today' },
  hangs_before_session: { silentStart: true, start: stayAlive },
  hangs: { deaf: true, start: stayAlive, turn: (agent) => say(agent, 'thinking') },
  works_slowly: { turn: (agent) => say(agent, 'working') },
  floods: { turn: (agent) => streamEvents(agent, deliver) },
  stream: { turn: (agent) => streamEvents(agent, (done) => done.end()) },
  steady: { turn: (agent) => streamSteadily(agent) },
  prints_garbage: {
    async turn(agent) {
      process.stdout.write('{"method": broken\n[1,2]\nnot json at all\n\u0000\n{"id":999,"what":1}\n');
      agent.print({ method: 'item/completed', params: { item: 7 } });
      agent.print({ method: 'thread/tokenUsage/updated', params: null });
      agent.print({
        method: 'turn/completed',
        params: { threadId: 'another', turn: { id: 'x', status: 'failed' } },
      });
      await deliver(agent);
    },
  },
  ignores_sigterm: {
    deaf: true,
    start() {
      process.on('SIGTERM', () => {});
      stayAlive();
    },
    turn: (agent) => say(agent, 'ignoring'),
  },
  leaves_grandchild: {
    async turn(agent) {
      spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
      await deliver(agent);
    },
  },
  asks: {
    async turn(agent) {
      const question = {
        id: 'q',
        header: 'Colour',
        question: 'Red or blue?',
        isOther: true,
        isSecret: false,
        options: null,
      };
      const params = { itemId: 'ask', questions: [question], isBlocking: true, autoResolutionMs: null };
      await agent.request('item/tool/requestUserInput', params);
    },
  },
  meets_quota: {
    turn(agent) {
      const resetsAt = Math.floor(Date.now() / 1000) + 3600;
      const primary = { usedPercent: 100, windowDurationMins: 300, resetsAt };
      agent.print({
        method: 'account/rateLimits/updated',
        params: { rateLimits: { limitId: 'codex', primary } },
      });
      agent.end('failed', turnError('usageLimitExceeded', 'You have hit your usage limit.'));
    },
  },
  calls_unknown_tool: {
    async turn(agent) {
      const { result } = await agent.tool('format_disk', {});
      say(agent, `refused: ${result.success}`);
      await deliver(agent);
    },
  },
  overflows: fail('contextWindowExceeded', 'the conversation is too long'),
  unauthorized: fail({ httpConnectionFailed: { httpStatusCode: 401 } }, 'please sign in'),
  overloaded: fail('serverOverloaded', 'try later'),
  asks_approval: { turn: async (agent) => followDecision(agent, await approval(agent)) },
  asks_oddly: {
    async turn(agent) {
      await agent.request('item/unheard/of', { any: 'thing' }, 'a text id');
      await agent.request('attestation/generate', {}, 0);
      const { result } = await agent.request('currentTime/read', { turnId: undefined });
      say(agent, `time: ${result.currentTimeAt}`);
      await deliver(agent);
    },
  },
  silent: { turn: () => {} },
  talks_slowly: {
    turn(agent) {
      let left = 12;
      const timer = setInterval(() => {
        agent.notify('item/agentMessage/delta', { itemId: 'm', delta: '.' });
        left -= 1;
        if (left > 0) return;
        clearInterval(timer);
        agent.end();
      }, 50);
    },
  },
  offline: {
    turn(agent) {
      const error = turnError(
        { responseStreamDisconnected: { httpStatusCode: null } },
        'Reconnecting... waiting for network',
      );
      const timer = setInterval(() => {
        if (agent.state.current === null) clearInterval(timer);
        else agent.notify('error', { error, willRetry: true });
      }, 50);
    },
  },
  loses_end: { losesEnd: true, turn: (agent) => agent.end() },
  listens: {
    turn: (agent) => say(agent, 'listening'),
    steered(agent, text) {
      agent.completed(messageItem('heard', `heard: ${text}`));
      agent.end();
    },
  },
  reroutes: {
    turn(agent) {
      agent.notify('model/rerouted', {
        fromModel: 'fake-model',
        toModel: 'gpt-5',
        reason: 'highRiskCyberActivity',
      });
      agent.spend();
      agent.print({ method: 'invented/notification', params: { x: 1 } });
      agent.end();
    },
  },
  says_much: {
    turn(agent) {
      process.stderr.write('{"method":"turn/completed","params":{"threadId":"x"}}\nWARN noise\n');
      agent.completed(messageItem('long', `begin ${'x'.repeat(9 * 1024 * 1024)}`));
      process.stderr.write('{"method":"turn/completed"}\n');
      agent.end();
    },
  },
  shows_request: {
    turn(agent, params) {
      const ids = [agent.state.thread, agent.state.current];
      say(agent, JSON.stringify({ ids, thread: agent.params, turn: params, argv: process.argv.slice(2) }));
      agent.end();
    },
  },
};
