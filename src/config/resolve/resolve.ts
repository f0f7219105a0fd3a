import { sep } from 'node:path';
import type { Config, TrackerConfig, WorkspaceConfig } from '../config.ts';
import { resolveAgent } from './agent.ts';
import { checkAcpCommand, resolveAcp, resolveClaude, resolveCodex } from './codex.ts';
import type { Resolution } from './context.ts';
import { resolveForge } from './forge.ts';
import { checkPassedVariables } from './passed-variables.ts';
import { resolveProfiles } from './profiles.ts';
import { resolveRepo, withCredential } from './repo.ts';
import { resolveSandbox } from './sandbox.ts';
import { resolveSecrets } from './secrets.ts';
import { resolvePolicy, resolvePolling, resolveRest, resolveServer } from './service.ts';
import { resolveTracker } from './tracker.ts';
import { resolvePrompt } from './trust.ts';
import { resolveHooks, resolveWorkspace } from './workspace.ts';

/** Written keys to settings. What is wrong is reported to `at`; the result is only good when nothing was. */
export function resolveConfig(
  at: Resolution,
  workflowPath: string,
  prompt: { readonly text: string; readonly line: number },
): Config {
  const written = resolveRepo(at);
  const tracker = resolveTracker(at, written?.repo ?? null);
  const repo = written === null ? null : withCredential(written, tracker);
  const workspace = resolveWorkspace(at, workflowPath);
  const secrets = resolveSecrets(at, tracker);
  checkPassedVariables(at, secrets);
  checkLocalFolder(at, tracker, workspace);
  const codex = resolveCodex(at);
  const claude = resolveClaude(at);
  const acp = resolveAcp(at);
  const agent = resolveAgent(at, tracker);
  if (agent.default === 'acp') checkAcpCommand(at, 'agent.default', acp);
  return {
    workflowPath,
    dialect: at.dialect,
    promptTemplate: prompt.text,
    promptLine: prompt.line,
    repo,
    forge: resolveForge(at, repo, tracker),
    tracker,
    polling: resolvePolling(at),
    workspace,
    hooks: resolveHooks(at),
    agent: { ...agent, profiles: resolveProfiles(at, { agent, codex, claude, acp, tracker }) },
    codex,
    claude,
    acp,
    prompt: resolvePrompt(at, tracker.trust),
    policy: resolvePolicy(at),
    sandbox: resolveSandbox(at),
    server: resolveServer(at),
    ...resolveRest(at),
    secrets,
  };
}

/** Every file in the folder of issues is read as an issue, so no workspace may be in it. */
function checkLocalFolder(at: Resolution, tracker: TrackerConfig, { root }: WorkspaceConfig): void {
  const folder = tracker.kind === 'local' ? tracker.provider['path'] : undefined;
  if (typeof folder !== 'string' || !`${root}${sep}`.startsWith(`${folder}${sep}`)) return;
  const message = `workspace.root ${root} is inside the folder of issues ${folder}`;
  at.problem(
    'workspace.root',
    message,
    'Move the workspaces or the issues to a directory of their own.',
    'shared_root',
  );
}
