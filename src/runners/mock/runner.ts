import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { packageFile } from '../../process/package-file.ts';
import type { Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AgentProtocol } from '../session/protocol.ts';
import type { Session } from '../session/session.ts';
import { startSession } from '../session/start.ts';
import { withTimeLimit } from '../session/time-limit.ts';
import { type Timing, timingOf } from '../session/timing.ts';
import { launchOf } from '../start/launch.ts';
import { MockConversation } from './conversation.ts';
import { readScript } from './script.ts';
import { fillScript, writtenScriptSchema } from './script-schema.ts';

const RESPONSE_TIMEOUT_MS = 10_000;
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
  const timing = {
    ...timingOf({ turnTimeoutMs: null, stallTimeoutMs: 0 }, RESPONSE_TIMEOUT_MS),
    ...options.timing,
  };
  const protocol: AgentProtocol = {
    name: 'the mock agent',
    silenceKey: '',
    startHint: () => 'Look at the log of the worker at debug level.',
    open: (session) => openConversation(session, options),
  };
  return { kind: 'mock', start: (input, signal) => startSession(protocol, input, timing, signal) };
}

async function openConversation(
  session: Session,
  { sandbox = null, verifyCommands = [] }: MockRunnerOptions,
): Promise<MockConversation> {
  const { input, clock, timing } = session;
  const { id, identifier, title, description } = input.issue;
  const reading = readScript(description);
  const conversation = new MockConversation(session, reading.ok ? null : reading.message);
  const process = await session.startProcess(await planLaunch(input, sandbox), {
    howToInstall: 'Install the package again.',
    maxLineBytes: MAX_LINE_BYTES,
    onLine: (line) => conversation.acceptLine(line),
  });
  conversation.speakTo(process);
  session.stage = 'session';
  const start = {
    type: 'start' as const,
    issue: { id, identifier, title },
    script: reading.ok ? reading.script : fillScript(writtenScriptSchema.parse({})),
    tools: input.tools.map((tool) => tool.name),
    verify: verifyCommands,
    resumeSessionId: input.resumeSessionId,
  };
  // A failed write needs no handling: the exit or the timeout that comes with it ends the start.
  conversation.send(start).catch(() => {});
  const exited = process.gone.then(({ message }) => {
    throw exitedTooEarly(message);
  });
  const opened = Promise.race([conversation.opened, exited]);
  await withTimeLimit(clock, timing.responseTimeoutMs, opened, startTimedOut);
  return conversation;
}

/** The agent imports nothing but Node and its own folder; `package.json` says that these files are modules. */
async function planLaunch(input: SessionInput, sandbox: Sandbox | null): Promise<Launch> {
  const program = packageFile('dist/runners/mock/agent/main.js');
  if (!existsSync(program)) {
    throw new AppError('agent_not_found', `The mock agent is not built: ${program} does not exist.`, {
      hint: 'Run `npm run build` in the source tree, or install the package again.',
    });
  }
  const folder = dirname(program);
  const programFiles = [folder, packageFile('package.json')];
  const node = { command: process.execPath, args: [program] };
  return launchOf(node, input, sandbox, { stateFolders: [], programFiles, variables: [] });
}

function exitedTooEarly(exit: string): AppError {
  return new AppError('port_exit', `No session was opened: ${exit}.`, {
    hint: 'Check that git runs in the workspace and that the workspace is on a branch.',
  });
}

function startTimedOut(ms: number): AppError {
  return new AppError('response_timeout', `The mock agent did not open a session within ${ms} ms.`, {
    hint: 'Look at the load of the machine, and at `when: start` in the mock block of the issue.',
  });
}
