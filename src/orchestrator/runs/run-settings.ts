import type { Config } from '../../config/config.ts';
import { trackerScopeOf } from '../../config/roots/shared-roots.ts';
import type { RunSettings } from '../../run/protocol.ts';

/**
 * The part of the configuration a run may see: everything but the tracker and its credential. A profile is worked in: the
 * run's agent is the default of its settings, with the profile's own values.
 */
export function runSettings(config: Config, profile: string | null = null): RunSettings {
  return {
    trackerKind: config.tracker.kind,
    trackerScope: trackerScopeOf(config.tracker),
    reusesIds: config.tracker.isFolder,
    promptTemplate: config.promptTemplate,
    promptLine: config.promptLine,
    repo: config.repo,
    workspace: config.workspace,
    hooks: config.hooks,
    agent: agentOf(config, profile),
    prompt: config.prompt,
    policy: config.policy,
    verify: config.verify,
    sandbox: config.sandbox,
    rescue: config.rescue,
  };
}

function agentOf({ agent }: Config, name: string | null): RunSettings['agent'] {
  if (name === null) return agent;
  const profile = agent.profiles.find((candidate) => candidate.name === name);
  if (profile === undefined) throw new Error(`there is no profile ${name}`);
  return { ...agent, ...profile.agent, timeoutMs: profile.timeoutMs, profiles: [] };
}
