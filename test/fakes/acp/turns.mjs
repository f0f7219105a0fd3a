import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { methods, RequestError } from '@agentclientprotocol/sdk';

const never = new Promise(() => {});
const TURN = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
const DONE = { stopReason: 'end_turn', usage: TURN };

/** Plays one turn of a scenario; resolves with the answer to its prompt. */
export async function turnOf(scenario, { client, session, servers, turns }) {
  const update = (fields) =>
    client.notify(methods.client.session.update, { sessionId: session, update: fields });
  const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const act = (title) =>
    update({
      sessionUpdate: 'tool_call',
      toolCallId: title,
      title,
      kind: 'execute',
      status: 'in_progress',
    });
  const callTool = (name, args) => callMcp(servers, { name, arguments: args });
  const ask = (toolCall) =>
    client.request(methods.client.session.requestPermission, {
      sessionId: session,
      toolCall: { toolCallId: 'x', ...toolCall },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
  const deliver = async () => {
    await act('git commit');
    commit(`turn ${turns}`);
    await callTool('issue_move', { state: 'Human Review' });
    await say('The work is ');
    await say('handed over.');
    return DONE;
  };

  const played = {
    async several_turns() {
      await say(`turn ${turns}`);
      return DONE;
    },
    async exits_in_turn() {
      await act('breaking');
      process.stderr.write('panic\n', () => process.exit(4));
      return never;
    },
    fails: () => Promise.reject(RequestError.internalError({ details: 'the model refused' })),
    meets_quota: () =>
      Promise.reject(RequestError.internalError({ details: 'You have hit your usage limit' })),
    loses_sign_in: () => Promise.reject(RequestError.authRequired()),
    fails_without_code: () => raw({ id: 2, error: { message: 'only words' } }),
    answers_nonsense: () => raw({ jsonrpc: '2.0', id: 2, result: { stopReason: 7 } }),
    hangs: () => act('thinking').then(() => never),
    works_slowly: () => act('working').then(() => never),
    runs_quietly: () => act('make world').then(() => never),
    ignores_sigterm: () => act('ignoring').then(() => never),
    async floods() {
      for (let index = 0; index < 1000; index += 1) await say('x'.repeat(20_000));
      return deliver();
    },
    async floods_calls() {
      for (let index = 0; index < 3000; index += 1) await act(`call ${index}`);
      return DONE;
    },
    async floods_requests() {
      const asked = Array.from({ length: 3000 }, (_, index) => client.request(`_fake/${index % 3}`, {}));
      const answers = await Promise.allSettled(asked);
      await say(`refused ${answers.filter(({ reason }) => reason?.code === -32601).length}`);
      return DONE;
    },
    async prints_long_line() {
      for (let part = 0; part < 100; part += 1) await print('x'.repeat(1_000_000));
      await print('\n');
      return deliver();
    },
    async prints_garbage() {
      await print('{"method": broken\n[1,2]\nnot json\n\u0000\n{"jsonrpc":"2.0","id":999,"result":1}\n');
      await print('{"jsonrpc":"2.0","id":{},"method":"session/request_permission"}\n');
      await print('{"jsonrpc":"2.0","method":"session/update","params":7}\n');
      await update({ sessionUpdate: 'of_tomorrow' });
      return deliver();
    },
    async leaves_grandchild() {
      spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
      return deliver();
    },
    async asks() {
      const { outcome } = await ask({ title: 'rm -rf build', rawInput: { command: 'rm -rf build' } });
      return outcome.optionId === 'yes' ? deliver() : never;
    },
    async asks_for_own_tool() {
      await ask({ title: 'issue_move (aiops MCP Server)', kind: 'other', status: 'pending' });
      return deliver();
    },
    async tells_cost() {
      const cost = { amount: 0.25 * turns, currency: 'USD' };
      await update({ sessionUpdate: 'usage_update', used: 9_000_000, size: 10_000_000, cost });
      return { stopReason: 'end_turn', usage: { ...TURN, totalTokens: 300, cachedReadTokens: 150 } };
    },
    async counts_like_gemini() {
      return {
        stopReason: 'end_turn',
        _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } },
      };
    },
    async calls_unknown_tool() {
      const { result } = await callTool('format_disk', {});
      await say(`refused: ${result.isError}`);
      return deliver();
    },
  };
  return (played[scenario] ?? deliver)();
}

function commit(line) {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  appendFileSync('NOTES.md', `${line}\n`);
  git('add', 'NOTES.md');
  git('-c', 'user.name=Fake', '-c', 'user.email=fake@example.invalid', 'commit', '-qm', 'Note the turn');
  git('push', '--quiet', 'origin', 'HEAD');
}

async function callMcp([{ url, headers }], params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.json();
}

const print = (text) => new Promise((resolve) => process.stdout.write(text, resolve));

/** Past the SDK; the turn it answers for never ends by itself. */
const raw = (message) => print(`${JSON.stringify(message)}\n`).then(() => never);
