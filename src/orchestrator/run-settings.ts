import type { Config } from '../config/config.ts';
import { trackerScopeOf } from '../config/shared-roots.ts';
import type { RunSettings } from '../run/protocol.ts';

/** The part of the configuration a run may see: everything but the tracker and its credential. */
export function runSettings(config: Config): RunSettings {
  return {
    trackerKind: config.tracker.kind,
    trackerScope: trackerScopeOf(config.tracker),
    promptTemplate: config.promptTemplate,
    promptLine: config.promptLine,
    repo: config.repo,
    workspace: config.workspace,
    hooks: config.hooks,
    agent: config.agent,
    codex: config.codex,
    claude: config.claude,
    acp: config.acp,
    prompt: config.prompt,
    policy: config.policy,
    verify: config.verify,
    sandbox: config.sandbox,
    rescue: config.rescue,
  };
}
