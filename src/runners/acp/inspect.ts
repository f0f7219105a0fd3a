import { optionsOf } from '../../config/kinds.ts';
import { fail, ok, skip, warn } from '../../domain/verdict.ts';
import { type AgentInspection, WHERE_PROGRAMS_ARE } from '../inspection.ts';
import type { AcpSettings } from './settings.ts';

export const inspection: AgentInspection = {
  async judgeProgram(_, program, env, look) {
    if (program === null) return skip('acp.command needs a shell, which finds its own programs');
    const path = await look.findProgram(program, env);
    if (path !== null) return ok(`${path} is there`);
    return fail(
      `the program of acp.command was not found: ${program}`,
      `Install it, or write its full path into acp.command; ${WHERE_PROGRAMS_ARE}`,
    );
  },
  signIn: null,
  judgeVerifyCommands(agent) {
    if (optionsOf<AcpSettings>(agent).permissions !== 'ask') return [];
    return [
      warn(
        'acp.permissions is ask: the agent may ask a person before each of verify.commands, and the run waits for the answer',
        'Set acp.permissions: allow, best with a sandbox.',
        'acp.permissions',
      ),
    ];
  },
  ownSandbox: null,
};
