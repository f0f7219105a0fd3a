import { join } from 'node:path';
import type { ClaudeConfig } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { makeTemporaryFolder } from '../agent-caches.ts';
import { type Program, programOf } from '../program.ts';
import type { Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { findProgram } from '../sandbox/plan.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Timing, timingOf } from '../timing.ts';
import { verifyRules } from '../verify-commands.ts';
import { sessionArguments } from './command.ts';
import { openCommandConnection } from './command-connection.ts';
import { chooseDriver, loadDriver } from './driver.ts';
import type { AgentSdk } from './sdk.ts';
import { openSdkConnection } from './sdk-connection.ts';
import { sdkOptions } from './sdk-options.ts';
import { type Connect, SessionStart, startStopped } from './session-start.ts';
import { openTextSession } from './text-session.ts';

export interface ClaudeRunnerOptions {
  readonly claude: ClaudeConfig;
  /** The workflow's own checks, which Claude may always run. */
  readonly verifyCommands?: readonly string[];
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  readonly timing?: Partial<Timing>;
}

/** The command nobody has chosen: where it is not installed, the program that comes with the SDK does. */
const DEFAULT_COMMAND = 'claude';

/** Drives Claude Code: one process and one conversation per session. */
export function createClaudeRunner(options: ClaudeRunnerOptions): Runner {
  const { sandbox = null, verifyCommands = [] } = options;
  const allowedTools = [...options.claude.allowedTools, ...verifyRules(verifyCommands)];
  const claude = { ...options.claude, allowedTools, verifyCommands };
  const timing = { ...timingOf(claude), ...options.timing };

  const launch = async (input: SessionInput, program: Program): Promise<Launch> => {
    const { environment, workspacePath, borrowedFolders } = input;
    await makeTemporaryFolder(environment, workspacePath);
    const plain: Launch = { ...program, env: environment };
    const state = environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? workspacePath, '.claude');
    const place = { workspacePath, borrowedFolders, stateFolders: [state], variables: ['CLAUDE_CONFIG_DIR'] };
    return sandbox?.wrap(plain, place) ?? plain;
  };

  const connectByCommand =
    (input: SessionInput): Connect =>
    async (choice, handlers) => {
      const launched = await launch(input, programOf(claude.command, sessionArguments(claude, choice)));
      return openCommandConnection(launched, input, systemClock, handlers);
    };

  const connectBySdk =
    (input: SessionInput, sdk: AgentSdk): Connect =>
    async (choice, handlers) => {
      const { environment, workspacePath: cwd } = input;
      const bundled = await isMissing(claude.command, environment);
      const given = sdkOptions(claude, choice, { cwd, env: environment });
      return openSdkConnection(
        {
          sdk,
          options: bundled ? given : { ...given, pathToClaudeCodeExecutable: DEFAULT_COMMAND },
          input,
          clock: systemClock,
          timing,
          launch: (command, args) =>
            launch(input, bundled ? { command, args } : programOf(claude.command, args)),
        },
        handlers,
      );
    };

  return {
    kind: 'claude',
    async start(input, signal) {
      if (signal.aborted) throw startStopped(signal);
      const driver = chooseDriver(claude);
      if (driver.kind === 'text')
        return openTextSession(input, timing, () => launch(input, programOf(claude.command, [])));
      const sdk = await loadDriver(driver, claude, input.logger);
      const connect = sdk === null ? connectByCommand(input) : connectBySdk(input, sdk);
      return new SessionStart(claude, timing, input, connect).run(signal);
    },
  };
}

/** True when the agent would not find the command that is the default. */
async function isMissing(command: string, environment: SessionInput['environment']): Promise<boolean> {
  if (command.trim() !== DEFAULT_COMMAND) return false;
  return findProgram(DEFAULT_COMMAND, environment['PATH'] ?? '').then(
    () => false,
    () => true,
  );
}
