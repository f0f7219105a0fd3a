import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors/app-error.ts';
import type { TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { activity } from '../session/activity.ts';
import type { Conversation } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { CLAUDE_PROCESS } from './process.ts';

/** Lines that are reported of one turn; the rest of the answer is not. */
const MAX_LINES = 200;

/** A command that reads the prompt, prints its answer as text and ends. Each turn is a process of its own. */
export function openTextConversation(session: Session, launch: () => Promise<Launch>): Conversation {
  session.input.logger.warn(
    'claude.command prints plain text: there are no tools, questions, tokens or costs, no turn remembers another, and nothing is resumed; remove -p from it for all of these',
  );
  session.announce({ sessionId: randomUUID(), model: null, resumed: false });
  return {
    startTurn: (prompt) => void runTurn(session, launch, prompt),
    interrupt: () => void session.terminate(),
    steer: null,
    ended: null,
  };
}

/** Whatever the command left behind ends with its turn. */
async function runTurn(session: Session, launch: () => Promise<Launch>, prompt: string): Promise<void> {
  const result = await runCommand(session, launch, prompt);
  await session.terminate();
  session.endTurn(result);
}

async function runCommand(
  session: Session,
  launch: () => Promise<Launch>,
  prompt: string,
): Promise<TurnResult> {
  let lines = 0;
  try {
    const { child, gone } = await session.startProcess(await launch(), {
      ...CLAUDE_PROCESS,
      onLine(line) {
        lines += 1;
        if (lines <= MAX_LINES) session.reports.emit(activity('message', line));
      },
      onOversizeLine: () => {},
    });
    if (session.ending !== null) await session.terminate();
    await child.writeLine(prompt).catch(() => {});
    child.endInput();
    const { message } = await gone;
    const { code } = await child.exited;
    return code === 0 ? { kind: 'completed' } : { kind: 'failed', code: 'turn_failed', message };
  } catch (error) {
    return { kind: 'failed', code: 'agent_not_found', message: messageOf(error) };
  }
}
