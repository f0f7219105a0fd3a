import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { packageRoot, resolveProgram } from '../../process/children/program-path.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { type AgentProcess, startAgentProcess } from '../agent-process.ts';
import type { AgentSession, Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { STOP_TIMING } from '../timing.ts';
import { createExchange, type Exchange } from './exchange.ts';
import type { RunnerMessage } from './messages.ts';
import { readScript } from './script.ts';
import { fillScript, writtenScriptSchema } from './script-schema.ts';
import { createSession, type Timing } from './session.ts';
import { createToolDesk } from './tool-desk.ts';

const DEFAULT_TIMING: Timing = {
  responseTimeoutMs: 10_000,
  ...STOP_TIMING,
};

/** The agent speaks in small messages; anything longer is noise. */
const MAX_LINE_BYTES = 1024 * 1024;

export interface MockRunnerOptions {
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  /** The workflow's own checks, which the agent runs before it hands over. */
  readonly verifyCommands?: readonly string[];
  readonly timing?: Partial<Timing>;
}

/** A runner for demos and tests: a real agent process whose behaviour the issue itself describes. */
export function createMockRunner(options: MockRunnerOptions = {}): Runner {
  const { sandbox = null, verifyCommands = [], timing = {} } = options;
  const settings = { sandbox, verifyCommands, timing: { ...DEFAULT_TIMING, ...timing } };
  return { kind: 'mock', start: (input, signal) => startSession(input, signal, settings) };
}

interface Settings extends Required<Pick<MockRunnerOptions, 'sandbox' | 'verifyCommands'>> {
  readonly timing: Timing;
}

/** A launched agent, before its session is open. */
interface Launched extends AgentProcess {
  readonly exchange: Exchange;
  send(message: RunnerMessage): Promise<void>;
}

async function startSession(
  input: SessionInput,
  signal: AbortSignal,
  { sandbox, verifyCommands, timing }: Settings,
): Promise<AgentSession> {
  if (signal.aborted) throw startStopped(signal);
  const reading = readScript(input.issue.description);
  const script = reading.ok ? reading.script : fillScript(writtenScriptSchema.parse({}));
  const launched = await launch(input, sandbox).catch((error: unknown) => {
    input.onEvent({ type: 'startup_failed', stage: 'launch', message: messageOf(error) });
    throw error;
  });
  const { id, identifier, title } = input.issue;
  // A failed write needs no handling: the exit or the timeout that comes with it ends the start.
  launched
    .send({
      type: 'start',
      issue: { id, identifier, title },
      script,
      tools: input.tools.map((tool) => tool.name),
      verify: verifyCommands,
      resumeSessionId: input.resumeSessionId,
    })
    .catch(() => {});
  try {
    await waitUntilOpen(launched, signal, timing.responseTimeoutMs);
  } catch (error) {
    await launched.child.terminate(timing.stopGrace).catch((cause: unknown) => {
      input.logger.error('the mock agent could not be ended', { error: messageOf(cause) });
    });
    if (!signal.aborted) {
      launched.exchange.emit({ type: 'startup_failed', stage: 'session', message: messageOf(error) });
    }
    launched.exchange.close();
    throw error;
  }
  return createSession({ ...launched, input, timing, scriptError: reading.ok ? null : reading.message });
}

/** The agent imports nothing but Node and its own folder; `package.json` says that these files are modules. */
async function planLaunch(
  { environment, workspacePath, borrowedFolders }: SessionInput,
  sandbox: Sandbox | null,
): Promise<Launch> {
  const program = resolveProgram(import.meta.url, './agent/main.ts');
  if (!existsSync(program)) {
    throw new AppError('agent_not_found', `The mock agent is not built: ${program} does not exist.`, {
      hint: 'Run `npm run build` in the source tree, or install the package again.',
    });
  }
  const folder = dirname(program);
  const programFiles = [folder, join(packageRoot(folder), 'package.json')];
  const plain: Launch = { command: process.execPath, args: [program], env: environment };
  const place = { workspacePath, borrowedFolders, stateFolders: [], programFiles, variables: [] };
  return (await sandbox?.wrap(plain, place)) ?? plain;
}

async function launch(input: SessionInput, sandbox: Sandbox | null): Promise<Launched> {
  let started: AgentProcess | null = null;
  const send = (message: RunnerMessage): Promise<void> =>
    started?.child.writeLine(JSON.stringify(message)) ??
    Promise.reject(new Error('the agent is not started yet'));
  const exchange = createExchange({
    onEvent: input.onEvent,
    pid: () => started?.child.pid ?? null,
    onToolCall({ id, name, arguments: args }) {
      void answerTool({ name, arguments: args })
        .then((result) => send({ type: 'tool_result', id, result }))
        // An agent that is gone does not miss its answer.
        .catch(() => {});
    },
  });
  const answerTool = createToolDesk(input, exchange.emit);
  await makeTemporaryFolder(input.environment, input.workspacePath);
  const process = await startAgentProcess(await planLaunch(input, sandbox), input, {
    name: 'the mock agent',
    howToInstall: 'Install the package again.',
    maxLineBytes: MAX_LINE_BYTES,
    onLine: exchange.acceptLine,
    onOversizeLine: exchange.acceptOversizeLine,
  });
  started = process;
  return { ...process, exchange, send };
}

async function waitUntilOpen(launched: Launched, signal: AbortSignal, withinMs: number): Promise<void> {
  const { exchange, gone } = launched;
  let cleanUp = (): void => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(startStopped(signal));
    const cancelTimer = systemClock.setTimer(withinMs, () => reject(startTimedOut(withinMs)));
    cleanUp = () => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
  });
  const exited = gone.then((error) => {
    throw new AppError('port_exit', `Before its session was open, ${error.message}.`, {
      hint: 'Check that git runs in the workspace and that the workspace is on a branch.',
    });
  });
  try {
    await Promise.race([exchange.opened, givenUp, exited]);
  } finally {
    cleanUp();
  }
}

function startTimedOut(ms: number): AppError {
  return new AppError('response_timeout', `The mock agent did not open a session within ${ms} ms.`, {
    hint: 'Look at the load of the machine, and at `when: start` in the mock block of the issue.',
  });
}

function startStopped(signal: AbortSignal): AppError {
  return new AppError('agent_failed', 'The start of the mock agent was stopped.', { cause: signal.reason });
}
