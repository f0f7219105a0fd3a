import type { Config } from '../config.ts';
import { resolveAgent } from './agent.ts';
import { resolveClaude, resolveCodex } from './codex.ts';
import type { Resolution } from './context.ts';
import { checkPassedVariables } from './passed-variables.ts';
import { resolveRepo } from './repo.ts';
import { resolveSandbox } from './sandbox.ts';
import { resolvePolicy, resolvePolling, resolveRest, resolveServer } from './service.ts';
import { resolveTracker } from './tracker.ts';
import { resolveHooks, resolveWorkspace } from './workspace.ts';

/** Written keys to settings. What is wrong is reported to `at`; the result is only good when nothing was. */
export function resolveConfig(at: Resolution, workflowPath: string, promptTemplate: string): Config {
  const repo = resolveRepo(at);
  const tracker = resolveTracker(at, repo);
  checkPassedVariables(at, tracker);
  return {
    workflowPath,
    dialect: at.dialect,
    promptTemplate,
    repo,
    tracker,
    polling: resolvePolling(at),
    workspace: resolveWorkspace(at),
    hooks: resolveHooks(at),
    agent: resolveAgent(at, tracker),
    codex: resolveCodex(at),
    claude: resolveClaude(at),
    policy: resolvePolicy(at),
    sandbox: resolveSandbox(at),
    server: resolveServer(at),
    ...resolveRest(at),
  };
}
