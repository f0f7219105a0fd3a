import type { Clock } from '../../domain/clock.ts';
import { type AgentProcess, type AgentProcessOptions, startAgentProcess } from '../agent-process.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';

/** A running Claude, whoever speaks to it. */
export interface ClaudeProcess extends AgentProcess {
  /** When Claude last printed a line. */
  heardAt(): number;
}

export async function startProcess(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: Pick<AgentProcessOptions, 'onLine' | 'onOversizeLine'>,
): Promise<ClaudeProcess> {
  let heardAt = clock.elapsed();
  const process = await startAgentProcess(launch, input, {
    name: 'Claude',
    howToInstall:
      'Install Claude Code (npm install -g @anthropic-ai/claude-code), or write its full path into claude.command in WORKFLOW.md.',
    hintFor: (said) => (/root\/sudo/i.test(said) ? INSTEAD_OF_BYPASS : null),
    onLine(line) {
      heardAt = clock.elapsed();
      handlers.onLine(line);
    },
    onOversizeLine(bytes) {
      heardAt = clock.elapsed();
      handlers.onOversizeLine(bytes);
    },
  });
  return { ...process, heardAt: () => heardAt };
}

export const UNKNOWN_CONVERSATION = /No conversation found/i;

const INSTEAD_OF_BYPASS =
  'Claude refuses bypassPermissions as root: run the worker as another user, or set claude.permission_mode to acceptEdits and list what else it may do in claude.allowed_tools.';
