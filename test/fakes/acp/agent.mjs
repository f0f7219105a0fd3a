import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { turnOf } from './turns.mjs';

/**
 * An agent on the other side of the published SDK, which checks every request it gets: `agent.mjs SCENARIO`. What no agent
 * should do, such as printing garbage, goes past the SDK.
 */
const scenario = process.argv[2] ?? '';
const deaf = scenario === 'hangs' || scenario === 'ignores_sigterm';
const memory = join(homedir(), '.fake-acp');
const state = { session: '', servers: [], turns: 0, endTurn: null };

const remember = (sessionId, mcpServers) => {
  state.session = sessionId;
  state.servers = mcpServers ?? [];
};

const recall = ({ sessionId, mcpServers }) => {
  if (!existsSync(join(memory, sessionId))) throw RequestError.sessionNotFound(sessionId);
  remember(sessionId, mcpServers);
};

const never = new Promise(() => {});

agent({ name: 'fake' })
  .onRequest(methods.agent.initialize, () => {
    if (scenario === 'hangs_before_session') return never;
    return {
      protocolVersion: scenario === 'speaks_another_version' ? 2 : PROTOCOL_VERSION,
      agentInfo: { name: 'fake', version: '1' },
      authMethods: [{ id: 'key', name: 'A key' }],
      agentCapabilities: {
        loadSession: true,
        mcpCapabilities: { http: scenario !== 'takes_no_tools' },
        ...(scenario === 'resumes_without_history' ? { sessionCapabilities: { resume: {} } } : {}),
      },
    };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (scenario === 'wants_sign_in') throw RequestError.authRequired();
    remember(randomUUID(), params.mcpServers);
    mkdirSync(memory, { recursive: true });
    writeFileSync(join(memory, state.session), '');
    const category = 'model';
    const model = {
      type: 'select',
      id: 'm',
      name: 'Model',
      category,
      currentValue: 'fake-model',
      options: [],
    };
    return { sessionId: state.session, configOptions: [model] };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    recall(params);
    const content = { type: 'text', text: 'what was said before' };
    await client.notify(methods.client.session.update, {
      sessionId: state.session,
      update: { sessionUpdate: 'agent_message_chunk', content },
    });
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    recall(params);
    return {};
  })
  .onNotification(methods.agent.session.cancel, () => {
    if (!deaf) state.endTurn?.({ stopReason: 'cancelled' });
  })
  .onRequest(methods.agent.session.prompt, ({ client }) => {
    state.turns += 1;
    return new Promise((resolve, reject) => {
      state.endTurn = resolve;
      turnOf(scenario, { client, ...state }).then(resolve, reject);
    });
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

if (scenario === 'exits_before_session') {
  process.stderr.write('no configuration\n');
  process.exit(3);
}
if (scenario === 'ignores_sigterm') process.on('SIGTERM', () => {});
if (deaf || scenario === 'hangs_before_session') setInterval(() => {}, 60_000);
else process.stdin.on('end', () => process.exit(0));
