import type { Runner } from '../runner.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AgentProtocol } from '../session/protocol.ts';
import { startSession } from '../session/start.ts';
import { type Timing, timingOf } from '../session/timing.ts';
import { launchOf } from '../start/launch.ts';
import { programOf } from '../start/program.ts';
import { AcpConversation } from './conversation.ts';
import type { AcpSettings } from './settings.ts';

export interface AcpRunnerOptions {
  readonly acp: AcpSettings;
  /** Around the whole process; null or left out when there is none. */
  readonly sandbox?: Sandbox | null;
  readonly timing?: Partial<Timing>;
}

/** Drives any agent of the Agent Client Protocol over its standard input and output. */
export function createAcpRunner({ acp, sandbox = null, timing: given }: AcpRunnerOptions): Runner {
  const timing = { ...timingOf(acp), ...given };
  const protocol: AgentProtocol = {
    name: 'the agent',
    silenceKey: 'acp.turn_timeout_ms',
    startHint: () =>
      'Run the agent of acp.command by hand as the user of the worker, and sign in if it asks for that.',
    async open(session) {
      const program = programOf(acp.command);
      const needs = { stateFolders: acp.stateFolders, variables: [] };
      const launch = await launchOf(program, session.input, sandbox, needs);
      return new AcpConversation(session, acp).open(launch);
    },
  };
  return { kind: 'acp', start: (input, signal) => startSession(protocol, input, timing, signal) };
}
