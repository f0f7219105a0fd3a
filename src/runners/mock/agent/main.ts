/**
 * The mock agent: a program of its own that speaks JSON lines on stdio (see `../messages.ts`) and works in its
 * current directory. It imports nothing but Node, runs its own git, and ends when its input does.
 */
import { createInterface } from 'node:readline';
import type { RunnerMessage } from '../messages.ts';
import { crash, hang } from './faults.ts';
import { createGit } from './git.ts';
import { send } from './output.ts';
import { openSession, type Session, type StartMessage } from './session.ts';
import { behaviourOf, runTurn } from './turn.ts';

/** How long a git command may still run after the input ended. */
const LAST_GIT_MS = 2000;

const git = createGit(process.cwd());
let session: Session | null = null;

process.stdout.on('error', () => process.exit(1));
createInterface({ input: process.stdin })
  .on('line', (line) => void accept(JSON.parse(line)).catch(abandon))
  .on('close', () => void end());

async function accept(message: RunnerMessage): Promise<void> {
  switch (message.type) {
    case 'start':
      return start(message);
    case 'turn': {
      if (session === null) throw new Error('a turn before the start');
      const result = await runTurn(session, message.prompt);
      return send({ type: 'turn_result', turn: message.turn, result });
    }
    case 'interrupt':
      session?.interrupt();
      return;
    case 'tool_result':
      session?.acceptToolResult(message.id, message.result);
      return;
  }
}

async function start(message: StartMessage): Promise<void> {
  const opened = await openSession(message, git);
  session = opened;
  opened.memory.runs += 1;
  opened.remember();
  const behaviour = behaviourOf(opened);
  if (message.script.when === 'start' && behaviour === 'crash') await crash(opened);
  if (message.script.when === 'start' && behaviour === 'hang') await hang();
  const { id: sessionId, resumed } = opened;
  await send({ type: 'event', event: { type: 'session_started', sessionId, model: 'mock', resumed } });
}

async function end(): Promise<void> {
  if (session !== null && behaviourOf(session) === 'ignore_sigterm') return;
  session?.interrupt();
  setTimeout(() => process.exit(0), LAST_GIT_MS).unref();
  await git.idle();
  process.exit(0);
}

function abandon(error: unknown): void {
  process.stderr.write(`mock agent: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
