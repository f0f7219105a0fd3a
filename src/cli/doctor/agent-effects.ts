import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Effects } from '../../doctor/effects.ts';
import { silentLogger } from '../../observability/logger.ts';
import type { AgentLook } from '../../runners/inspection.ts';
import { findProgram } from '../../runners/sandbox/plan.ts';
import { programOf } from '../../runners/start/program.ts';
import { ChildEnvironments } from '../compose/child-environments.ts';
import type { CliIo } from '../io.ts';
import { packageVersionOf, readText } from './files.ts';
import { runProgram } from './run-program.ts';
import { tryAgent } from './try-agent.ts';
import { trySandbox } from './try-sandbox.ts';

type AgentEffects = AgentLook & Pick<Effects, 'tryAgent' | 'agentEnvironment' | 'trySandbox'>;

/** The agents as the worker of this workflow would find them. */
export function agentEffects(
  needed: () => Config,
  { environment, cwd }: Pick<CliIo, 'environment' | 'cwd'>,
): AgentEffects {
  return {
    tryAgent,
    agentEnvironment: createAgentEnvironments(environment),
    programOf(command) {
      const program = programOf(command, []).command;
      return program === 'bash' && !/^\s*bash\b/.test(command) ? null : program;
    },
    findProgram: (program, env) => findProgram(program, env['PATH'] ?? '').catch(() => null),
    runProgram,
    readText,
    bundledVersion(find) {
      const program = find([dirname(needed().workflowPath), cwd]);
      return program === null ? null : packageVersionOf(program);
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
