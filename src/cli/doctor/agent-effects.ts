import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Effects } from '../../doctor/effects.ts';
import { silentLogger } from '../../observability/logger.ts';
import { findBundledClaude, INSTALL_AGENT_SDK } from '../../runners/claude/find-sdk.ts';
import { readCodexVersion } from '../../runners/codex/version.ts';
import type { AgentLook } from '../../runners/inspection.ts';
import { findProgram } from '../../runners/sandbox/plan.ts';
import { programOf } from '../../runners/start/program.ts';
import { ChildEnvironments } from '../compose/child-environments.ts';
import type { CliIo } from '../io.ts';
import { readCodexSettings } from './codex-settings.ts';
import { packageVersionOf } from './files.ts';
import { ROOT, runProgram } from './run-program.ts';
import { tryAgent } from './try-agent.ts';
import { trySandbox } from './try-sandbox.ts';

type AgentEffects = AgentLook & Pick<Effects, 'tryAgent' | 'agentEnvironment' | 'trySandbox'>;

/** The agents as the worker of this workflow would find them. */
export function agentEffects(
  needed: () => Config,
  { environment, cwd }: Pick<CliIo, 'environment' | 'cwd'>,
): AgentEffects {
  return {
    codexSettings: readCodexSettings,
    tryAgent,
    agentEnvironment: createAgentEnvironments(environment),
    programOf(command) {
      const program = programOf(command, []).command;
      return program === 'bash' && !/^\s*bash\b/.test(command) ? null : program;
    },
    findProgram: (program, env) => findProgram(program, env['PATH'] ?? '').catch(() => null),
    runProgram,
    codexVersion: (command, env) => readCodexVersion(command, env, ROOT),
    findClaudeSdk() {
      const program = findBundledClaude([dirname(needed().workflowPath), cwd]);
      return { version: program === null ? null : packageVersionOf(program), install: INSTALL_AGENT_SDK };
    },
    trySandbox: (env, signal) => trySandbox(needed(), env, signal),
  };
}

/** The login shell is asked once, whatever the number of agents. */
function createAgentEnvironments(environment: CliIo['environment']): Effects['agentEnvironment'] {
  const children = new ChildEnvironments(environment, silentLogger);
  let learned: Promise<void> | null = null;
  return async ({ config }) => {
    // The folder above the root may not exist yet; a login shell only needs some folder to start in.
    learned ??= children.learn({ ...config, workspace: { ...config.workspace, root: config.workflowPath } });
    await learned;
    return children.forLooking(config);
  };
}
