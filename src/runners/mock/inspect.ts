import { ok } from '../../domain/verdict.ts';
import type { AgentInspection } from '../inspection.ts';

export const inspection: AgentInspection = {
  judgeProgram: async () => ok('built in; it only writes notes, for trying things out'),
  signIn: null,
  judgeVerifyCommands: () => [],
  ownSandbox: null,
};
