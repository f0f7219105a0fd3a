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
    promptTemplate: config.promptTemplate,
    promptLine: config.promptLine,
    repo: config.repo,
    workspace: config.workspace,
    hooks: config.hooks,
    ...agentSettings(config, profile),
    prompt: config.prompt,
    policy: config.policy,
    verify: config.verify,
    sandbox: config.sandbox,
    rescue: config.rescue,
  };
}

function agentSettings(
  { agent, codex, claude, acp }: Config,
  name: string | null,
): Pick<RunSettings, 'agent' | 'codex' | 'claude' | 'acp'> {
  if (name === null) return { agent, codex, claude, acp };
  const profile = agent.profiles.find((candidate) => candidate.name === name);
  if (profile === undefined) throw new Error(`there is no profile ${name}`);
  const { runner, maxTurns, timeoutMs } = profile;
  return {
    agent: { ...agent, default: runner, maxTurns, timeoutMs, profiles: [] },
    codex: profile.codex,
    claude: profile.claude,
    acp: profile.acp,
  };
}
