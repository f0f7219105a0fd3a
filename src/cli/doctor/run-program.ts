import { parse } from 'node:path';
import { runCommand } from '../../process/children/run-command.ts';
import type { AgentLook } from '../../runners/inspection.ts';

const PROGRAM_MS = 10_000;

/** No folder of a repository, whose settings git would follow. */
export const ROOT = parse(process.execPath).root;

export const runProgram: AgentLook['runProgram'] = (command, args, env) =>
  runCommand({ command, args, env, cwd: ROOT, timeoutMs: PROGRAM_MS });
