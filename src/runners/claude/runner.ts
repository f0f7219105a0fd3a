import { join } from 'node:path';
import type { Runner, SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { findProgram } from '../sandbox/plan.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AgentProtocol } from '../session/protocol.ts';
import { startSession } from '../session/start.ts';
import { type Timing, timingOf } from '../session/timing.ts';
import { launchOf } from '../start/launch.ts';
import { type Program, programOf } from '../start/program.ts';
import { isTextCommand, sessionArguments } from './command.ts';
import { ClaudeConversation } from './conversation.ts';
import { findBundledClaude } from './find-sdk.ts';
import type { ClaudeSettings } from './settings.ts';
import { openTextConversation } from './text-conversation.ts';
import { verifyRules } from './verify-commands.ts';

export interface ClaudeRunnerOptions {
  readonly claude: ClaudeSettings;
  /** The workflow's own checks, which Claude may always run. */
  readonly verifyCommands?: readonly string[];
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  readonly timing?: Partial<Timing>;
}

/** The command nobody has chosen: where it is not installed, the program that comes with the Claude Agent SDK does. */
const DEFAULT_COMMAND = 'claude';

/** Drives Claude Code: one process and one conversation per session. */
export function createClaudeRunner(options: ClaudeRunnerOptions): Runner {
  const { sandbox = null, verifyCommands = [] } = options;
  const allowedTools = [...options.claude.allowedTools, ...verifyRules(verifyCommands)];
  const claude = { ...options.claude, allowedTools };
  const timing = { ...timingOf(claude), ...options.timing };

  const launch = async (input: SessionInput, args: readonly string[]): Promise<Launch> => {
    const { environment, workspacePath } = input;
    const state = environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? workspacePath, '.claude');
    const needs = { stateFolders: [state], variables: ['CLAUDE_CONFIG_DIR'] };
    return launchOf(await programFor(claude, environment, args), input, sandbox, needs);
  };

  const protocol: AgentProtocol = {
    name: 'Claude',
    silenceKey: 'claude.turn_timeout_ms',
    startHint: () => 'Update Claude Code, and look at the log of the worker at debug level.',
    async open(session) {
      const { input } = session;
      if (isTextCommand(claude.command)) return openTextConversation(session, () => launch(input, []));
      return new ClaudeConversation(session, {
        model: claude.model,
        verifyCommands,
        launch: (choice) => launch(input, sessionArguments(claude, choice)),
      }).open();
    },
  };
  return { kind: 'claude', start: (input, signal) => startSession(protocol, input, timing, signal) };
}

async function programFor(
  { command, sdkFolders }: ClaudeSettings,
  { PATH = '' }: SessionInput['environment'],
  args: readonly string[],
): Promise<Program> {
  const isMissing =
    command.trim() === DEFAULT_COMMAND &&
    (await findProgram(DEFAULT_COMMAND, PATH).then(
      () => false,
      () => true,
    ));
  const bundled = isMissing ? findBundledClaude(sdkFolders) : null;
  return bundled === null ? programOf(command, args) : { command: bundled, args };
}
