import type { RepoConfig } from '../../../config/config.ts';
import { fail, type Verdict, warn } from '../../../domain/verdict.ts';
import { type Check, problemsOr } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import { type AgentFiles, closedSandboxOf } from '../agent/own-sandbox.ts';
import type { ReachableAgent } from '../agent/reachable-agents.ts';

const LET_WORKER = 'Remove repo.push, so that the worker pushes the branch for the agent';

/** With `repo.push: agent` the agent needs a way to the remote and a credential of its own. */
export function agentPush(
  repo: RepoConfig,
  { agents, remote }: { readonly agents: readonly ReachableAgent[]; readonly remote: boolean },
  effects: AgentFiles & Pick<Effects, 'gitSignsIn'>,
): Check {
  return {
    id: 'way-to-push',
    title: 'The way to push',
    needs: 'files',
    async run() {
      if (repo.push === 'worker')
        return problemsOr([], 'the worker pushes the branch of a run for its agent');
      if (!remote) return problemsOr([], 'the agent pushes by itself, to a folder of this machine');
      const closed = await Promise.all(agents.map((agent) => withoutNetwork(agent, effects)));
      const credential = await withoutCredential(repo, effects.gitSignsIn);
      return problemsOr([...closed.flat(), ...credential], 'the agent pushes by itself');
    },
  };
}

async function withoutNetwork(agent: ReachableAgent, effects: AgentFiles): Promise<readonly Verdict[]> {
  const { config } = agent;
  if (config.sandbox.enabled && config.sandbox.network === 'none')
    return [
      fail(
        'repo.push is agent, but sandbox.network is none: the agent cannot reach the remote',
        `${LET_WORKER}, or set sandbox.network: normal.`,
        'repo.push',
      ),
    ];
  const closed = await closedSandboxOf(agent, effects);
  if (closed === null) return [];
  return [
    fail(
      `repo.push is agent, but ${closed.name}'s sandbox has no network: the agent cannot reach the remote`,
      `${LET_WORKER}; or give ${closed.name} a network: ${closed.openNetwork}.`,
      'repo.push',
    ),
  ];
}

async function withoutCredential(
  { cloneUrl, credential }: RepoConfig,
  gitSignsIn: Effects['gitSignsIn'],
): Promise<readonly Verdict[]> {
  const isWeb = /^https?:\/\//i.test(cloneUrl);
  if (!isWeb || credential?.source === 'clone_url' || (await gitSignsIn(cloneUrl))) return [];
  const has =
    credential === null
      ? ''
      : `: ${credential.source === 'tracker' ? "the tracker's token" : 'repo.token'} is not given to agents`;
  return [
    warn(
      `repo.push is agent, but the agent has no credential for the remote${has}`,
      `${LET_WORKER}, or set up a credential helper of git for this user.`,
      'repo.push',
    ),
  ];
}
