import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const stayAlive = () => setInterval(() => {}, 60_000);
const text = (said) => ({ type: 'text', text: said });
const toolUse = (name, input) => ({ type: 'tool_use', id: 'toolu_1', name, input });

/** Edits, commits, pushes and hands the issue over. */
async function deliver(agent) {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  agent.says(toolUse('Bash', { command: 'git commit' }));
  appendFileSync('NOTES.md', `turn ${agent.state.turns}\n`);
  git('add', 'NOTES.md');
  git('-c', 'user.name=Fake', '-c', 'user.email=fake@example.invalid', 'commit', '-qm', 'Note the turn');
  git('push', '--quiet', 'origin', 'HEAD');
  agent.says(toolUse('mcp__aiops__issue_move', { state: 'Human Review' }));
  await agent.mcp('tools/call', { name: 'issue_move', arguments: { state: 'Human Review' } });
  agent.says(text('The work is handed over.'));
  agent.end();
}

function fail(fields, error = null) {
  return {
    turn(agent) {
      if (error !== null) agent.print({ type: 'assistant', message: { id: 'x', content: [] }, error });
      agent.end({ is_error: true, errors: [], ...fields });
    },
  };
}

async function askFor(agent, tool_name, input) {
  const { response } = await agent.ask({ subtype: 'can_use_tool', tool_name, input, tool_use_id: 't' });
  agent.says(text(`decision: ${response.behavior}`));
  if (response.behavior === 'allow') return deliver(agent);
  if (response.interrupt)
    agent.end({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [],
      terminal_reason: 'aborted_tools',
    });
}

async function flood(agent) {
  const block = 'x'.repeat(20_000);
  for (let index = 0; index < 1000; index += 1) {
    agent.print(
      index % 100 === 0
        ? { type: 'assistant', message: { id: 'flood', content: [text(block)] } }
        : { type: 'stream_event', event: { delta: block } },
    );
    if (process.stdout.writableLength > 1_000_000) {
      await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  }
  await deliver(agent);
}

/** What the agent behind the fake Claude can be told to do. */
export const SCENARIOS = {
  happy: {
    turn: deliver,
    text: (prompt) => process.stdout.write(`you said: ${prompt.trim()}\nbye\n`),
  },
  several_turns: {
    turn(agent) {
      agent.says(text(`turn ${agent.state.turns}`));
      agent.end();
    },
  },
  old_version: {
    old: true,
    turn(agent) {
      agent.says(text('hello'));
      agent.end();
    },
  },
  exits_before_session: {
    start() {
      process.stderr.write('no configuration\n');
      process.exit(3);
    },
  },
  refuses_root: {
    start() {
      process.stderr.write('--dangerously-skip-permissions cannot be used with root/sudo privileges\n');
      process.exit(1);
    },
  },
  exits_in_turn: {
    turn(agent) {
      agent.says(text('about to break'));
      process.stderr.write('panic\n', () => process.exit(4));
    },
    text() {
      process.stderr.write('no credit\n');
      process.exitCode = 4;
    },
  },
  fails: fail({ api_error_status: 500, result: 'API Error: 500' }, 'server_error'),
  unauthorized: fail({ api_error_status: 401, result: 'Invalid API key' }, 'authentication_failed'),
  no_credit: fail({ api_error_status: 400, result: 'Credit balance is too low' }, 'billing_error'),
  on_hold: fail({ result: 'This account is on hold' }, 'account_on_hold'),
  retries: {
    turn(agent) {
      agent.print({
        type: 'system',
        subtype: 'api_retry',
        attempt: 2,
        max_retries: 10,
        retry_delay_ms: 3400,
        error_status: 529,
        error: 'overloaded',
      });
      agent.end();
    },
  },
  overloaded: fail({ api_error_status: 529, result: 'Overloaded' }),
  overflows: fail({ terminal_reason: 'prompt_too_long', result: 'Prompt is too long' }),
  spends_all: fail({ subtype: 'error_max_budget_usd', result: undefined }),
  takes_too_long: fail({ subtype: 'error_max_turns', result: undefined }),
  hangs_before_session: { silentStart: true, start: stayAlive },
  hangs: {
    deaf: true,
    start: stayAlive,
    turn: (agent) => agent.says(text('thinking')),
    text: () => new Promise(stayAlive),
  },
  listens: {
    async turn(agent) {
      agent.says(text('listening'));
      agent.says(text(`heard: ${await agent.listen()}`));
      agent.end();
    },
  },
  /** Answers without a look at what it was told in between: that is the next thing it does. */
  listens_late: {
    async turn(agent, prompt) {
      agent.says(text(`answering ${prompt}`));
      if (agent.state.turns === 1) await agent.told();
      agent.end(prompt === 'fail' ? { is_error: true, errors: [], result: 'no' } : {});
    },
  },
  chatters: {
    turn(agent) {
      for (let word = 1; word <= 2000; word += 1)
        agent.print({ type: 'assistant', message: { id: 'talk', content: [text(`word ${word}`)] } });
      agent.end();
    },
  },
  old_and_slow: { old: true, turn: (agent) => agent.says(text('working')) },
  works_slowly: { turn: (agent) => agent.says(text('working')) },
  floods: { turn: flood },
  prints_garbage: {
    async turn(agent) {
      process.stdout.write('{"type": broken\n[1,2]\nnot json at all\n\u0000\n{"no":"type"}\n');
      agent.print({ type: 'assistant', message: 7 });
      agent.print({ type: 'result' });
      agent.print({ type: 'rate_limit_event' });
      agent.print({ type: 'control_request', request: 1 });
      agent.print({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } });
      await deliver(agent);
    },
  },
  ignores_sigterm: {
    deaf: true,
    start() {
      process.on('SIGTERM', () => {});
      stayAlive();
    },
    turn: (agent) => agent.says(text('ignoring')),
  },
  leaves_grandchild: {
    async turn(agent) {
      spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
      await deliver(agent);
    },
  },
  asks: {
    turn: (agent) =>
      askFor(agent, 'AskUserQuestion', {
        questions: [{ question: 'Red or blue?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
      }),
  },
  asks_for_own_tool: {
    turn: (agent) => askFor(agent, 'mcp__aiops__issue_move', { state: 'Human Review' }),
  },
  asks_for_alike: { turn: (agent) => askFor(agent, 'mcp__aiops__drop_everything', {}) },
  separates_lines: {
    turn(agent) {
      agent.says(text('one\u2028two\u2029three'));
      agent.end();
    },
  },
  ends_oddly: {
    start: stayAlive,
    turn: (agent) => agent.print({ type: 'result', subtype: 'error_of_another_time', is_error: true }),
  },
  asks_permission: { turn: (agent) => askFor(agent, 'Bash', { command: 'rm -rf build' }) },
  asks_oddly: {
    async turn(agent) {
      const odd = await agent.ask({ subtype: 'hook_callback' });
      const unknown = await agent.mcp('resources/list', {});
      agent.says(text(`${odd.subtype} ${unknown.error.code}`));
      agent.end();
    },
  },
  meets_quota: {
    turn(agent) {
      const resetsAt = Math.floor(Date.now() / 1000) + 3600;
      agent.print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } });
      agent.end({ is_error: true, errors: [], api_error_status: 429, result: 'You have hit your limit' });
    },
  },
  calls_unknown_tool: {
    async turn(agent) {
      const { result } = await agent.mcp('tools/call', { name: 'format_disk', arguments: {} });
      agent.says(text(`refused: ${result.isError}`));
      await deliver(agent);
    },
  },
  shows_arguments: {
    turn(agent) {
      agent.says(text(JSON.stringify(agent.state.argv)));
      agent.end();
    },
  },
};
