import type { CommandResult } from '../children/child.ts';
import { terminateTree } from '../children/terminate.ts';
import { COMMAND_ID_VARIABLE } from '../tree/descendants.ts';

/** Names the helper that started a command by itself. */
export const HELPER_ID_VARIABLE = 'AIOPS_HELPER_ID';

const GRACE = { inputEndMs: 0, termMs: 2_000 };

/** Ends the command of a helper that is gone, and tells it as killed. */
export async function endAbandonedCommand(helperPid: number, commandId: string): Promise<CommandResult> {
  await endMarked(helperPid, COMMAND_ID_VARIABLE, commandId);
  return {
    outcome: 'exited',
    code: null,
    signal: 'SIGKILL',
    stdout: '',
    stderr: 'the process that had started the command ended',
    truncated: false,
    stdoutTruncated: false,
    durationMs: 0,
    spawnError: null,
  };
}

/** Ends all that a helper which is gone had started by itself. */
export function endAbandonedCommands(helperPid: number, helperId: string): Promise<void> {
  return endMarked(helperPid, HELPER_ID_VARIABLE, helperId);
}

async function endMarked(helperPid: number, name: string, value: string): Promise<void> {
  // The helper led a group of its own in which no command is, so that its pid finds nobody else.
  const tree = { rootPid: helperPid, rootStart: null, variable: { name, value } };
  const target = { tree, exited: Promise.resolve(), hasExited: () => true, endInput() {} };
  await terminateTree(target, GRACE).catch(() => {});
}
