import { spawn } from 'node:child_process';
import { send, writeRaw } from './output.ts';
import type { Session } from './session.ts';

/** Never settles; the open stdin keeps the process alive. */
export function hang(): Promise<never> {
  return new Promise(() => {});
}

export function crash(session: Session): Promise<never> {
  process.stderr.write('mock agent: crashing, as its script says\n');
  if (session.script.signal === null) process.exit(session.script.exit_code);
  process.kill(process.pid, session.script.signal);
  return hang();
}

/** Ignores every request to end, so that only SIGKILL is left. */
export function becomeStubborn(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}

export async function flood(session: Session): Promise<void> {
  const lineBytes = session.script.line_kb * 1024;
  const text = 'x'.repeat(lineBytes);
  for (
    let left = session.script.megabytes * 1024 * 1024;
    left > 0 && !session.interrupted;
    left -= lineBytes
  ) {
    await send({ type: 'event', event: { type: 'activity', kind: 'message', text } });
  }
}

/** Leaves a process in a session of its own that also keeps this agent's output open. */
export async function leaveGrandchild(session: Session): Promise<void> {
  const child = spawn('sleep', ['3600'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  await session.say('command', `Left process ${child.pid} running`);
}

const GARBAGE: readonly (string | Uint8Array)[] = [
  'this is not JSON\n',
  '\n',
  '{"type":"event"\n',
  'null\n',
  '[1,2,3]\n',
  '{"type":"nothing anybody knows"}\n',
  '{"type":"event","event":{"type":"usage","usage":{"inputTokens":-1,"outputTokens":"many"}}}\n',
  '{"type":"event","event":{"type":"turn_completed","turn":1}}\n',
  '{"type":"tool_call","id":7}\n',
  '{"type":"turn_result","turn":1,"result":{"kind":"excellent"}}\n',
  '{"type":"turn_result","turn":999999,"result":{"kind":"completed"}}\n',
  `${'['.repeat(5000)}\n`,
  new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]),
];

export async function printGarbage(): Promise<void> {
  for (const line of GARBAGE) await writeRaw(line);
}
