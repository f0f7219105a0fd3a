import { AppError } from '../../errors/app-error.ts';
import { type Program, programOf } from '../start/program.ts';
import { runsCodexExec } from './settings/codex-exec.ts';

/** How `codex.command` is started. */
export function codexProgram(command: string): Program {
  if (!runsCodexExec(command)) return programOf(command);
  throw new AppError(
    'agent_failed',
    'codex.command starts `codex exec`, which cannot be driven turn by turn.',
    { hint: 'Set codex.command in WORKFLOW.md to `codex app-server`.' },
  );
}
