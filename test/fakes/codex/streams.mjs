import { once } from 'node:events';
import { commandItem, messageItem } from './messages.mjs';

const MEGABYTE = 1024 * 1024;

/** Waits whenever the pipe is full, so that this program itself stays small. */
async function write(line) {
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}

const line = (agent, method, params) =>
  `${JSON.stringify({ method, params: { threadId: agent.state.thread, turnId: agent.state.current, ...params } })}\n`;

/** Megabytes of what Codex sends most of, in its usual mixture, then `finish`. */
export async function streamEvents(agent, finish) {
  const total = Number(agent.options.megabytes) * MEGABYTE;
  const output = 'x'.repeat(60_000);
  const lines = [
    line(agent, 'item/commandExecution/outputDelta', { itemId: 'cmd', delta: 'y'.repeat(4_000) }),
    line(agent, 'item/agentMessage/delta', { itemId: 'msg', delta: 'a few words ' }),
    line(agent, 'item/completed', {
      item: commandItem('cmd', agent.state.cwd, 'npm test', { exitCode: 0, output }),
      completedAtMs: 2,
    }),
    line(agent, 'item/completed', { item: messageItem('msg', 'z'.repeat(8_000)), completedAtMs: 2 }),
    line(agent, 'thread/status/changed', { status: { type: 'active', activeFlags: [] } }),
    line(agent, 'invented/notification', { payload: 'q'.repeat(2_000) }),
  ];
  for (let sent = 0, at = 0; sent < total; at += 1) {
    const next = lines[at % lines.length];
    sent += next.length;
    await write(next);
  }
  await finish(agent);
}

/** A lively agent: so many events each second until it is told to stop. */
export async function streamSteadily(agent) {
  const perTick = Math.max(1, Math.round(Number(agent.options.rate) / 20));
  let at = 0;
  const timer = setInterval(() => {
    if (agent.state.current === null) return clearInterval(timer);
    for (let sent = 0; sent < perTick; sent += 1, at += 1) {
      if (at % 100 === 99) agent.spend();
      else
        agent.completed(
          at % 2 === 0
            ? messageItem(`m${at}`, `message ${at}`)
            : commandItem(`c${at}`, agent.state.cwd, `step ${at}`, { exitCode: 0, output: 'ok' }),
        );
    }
  }, 50);
}
