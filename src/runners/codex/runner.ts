import { join } from 'node:path';
import type { Runner } from '../runner.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AgentProtocol } from '../session/protocol.ts';
import { startSession } from '../session/start.ts';
import { type Timing, timingOf } from '../session/timing.ts';
import { launchOf } from '../start/launch.ts';
import { codexProgram } from './command.ts';
import { CodexConversation } from './conversation.ts';
import type { PriceTable } from './prices.ts';
import type { CodexSettings } from './settings.ts';

export interface CodexRunnerOptions {
  readonly codex: CodexSettings;
  /** Around the whole process; null or left out when only Codex's own sandbox holds. */
  readonly sandbox?: Sandbox | null;
  readonly prices?: PriceTable;
  readonly timing?: Partial<Timing>;
}

/** Drives `codex app-server`: one process and one thread per session. */
export function createCodexRunner(options: CodexRunnerOptions): Runner {
  const { codex, sandbox = null } = options;
  const timing = { ...timingOf(codex, codex.readTimeoutMs), ...options.timing };
  const protocol: AgentProtocol = {
    name: 'Codex',
    silenceKey: 'codex.turn_timeout_ms',
    startHint: (stage) =>
      `Check the codex settings in WORKFLOW.md and the version of Codex (aiops doctor); it failed at ${stage}.`,
    async open(session) {
      const { environment, workspacePath } = session.input;
      const home = environment['CODEX_HOME'] ?? join(environment['HOME'] ?? workspacePath, '.codex');
      const needs = { stateFolders: [home], variables: ['CODEX_HOME'] };
      const launch = await launchOf(codexProgram(codex.command), session.input, sandbox, needs);
      return new CodexConversation(session, options).open(launch);
    },
  };
  return {
    kind: 'codex-app-server',
    start: (input, signal) => startSession(protocol, input, timing, signal),
  };
}
