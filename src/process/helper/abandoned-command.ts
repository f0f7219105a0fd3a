import type { CommandResult } from '../children/child.ts';
import { terminateTree } from '../children/terminate.ts';
import { COMMAND_ID_VARIABLE } from '../tree/descendants.ts';

const GRACE = { inputEndMs: 0, termMs: 2_000 };

/** Ends the command of a helper that is gone, and tells it as killed. */
export async function endAbandonedCommand(helperPid: number, commandId: string): Promise<CommandResult> {
  const variable = { name: COMMAND_ID_VARIABLE, value: commandId };
  // The helper led a group of its own in which no command is, so that its pid finds nobody else.
  const tree = { rootPid: helperPid, rootStart: null, variable };
  const target = { tree, exited: Promise.resolve(), hasExited: () => true, endInput() {} };
  await terminateTree(target, GRACE).catch(() => {});
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
