import { AppError, messageOf } from '../../errors/app-error.ts';
import type { AgentSession, SessionInput } from '../runner.ts';
import { sentence } from './agent-process.ts';
import type { AgentProtocol } from './protocol.ts';
import { Session } from './session.ts';
import type { Timing } from './timing.ts';

const MAX_MESSAGE = 500;

/** Starts an agent and opens a session with it; a start that fails or is stopped leaves nothing behind. */
export async function startSession(
  protocol: AgentProtocol,
  input: SessionInput,
  timing: Timing,
  signal: AbortSignal,
): Promise<AgentSession> {
  if (signal.aborted) throw startStopped(protocol, signal);
  const session = new Session(protocol, input, timing);
  const onAbort = (): void => session.cancelStart();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const conversation = await protocol.open(session);
    if (signal.aborted) throw startStopped(protocol, signal);
    return session.begin(conversation);
  } catch (error) {
    await session.terminate();
    const problem = error instanceof AppError ? error : startFailed(protocol, session.stage, error);
    if (!signal.aborted) session.failStart(problem);
    await session.close();
    throw signal.aborted ? startStopped(protocol, signal) : problem;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function startStopped({ name }: AgentProtocol, signal: AbortSignal): AppError {
  return new AppError('agent_failed', `The start of ${name} was stopped.`, { cause: signal.reason });
}

function startFailed({ name, startHint }: AgentProtocol, stage: string, cause: unknown): AppError {
  const said = messageOf(cause).slice(0, MAX_MESSAGE);
  return new AppError('agent_failed', sentence(`${name} did not start (${stage}): ${said}`), {
    hint: startHint(stage),
    cause,
  });
}
