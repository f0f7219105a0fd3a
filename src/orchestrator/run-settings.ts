import type { Config, TrackerConfig } from '../config/config.ts';
import type { RunSettings } from '../run/protocol.ts';

/** What tells this tracker scope from others that share a root or a repository. */
export function trackerScope(tracker: TrackerConfig): string {
  const parts = [tracker.kind, tracker.endpoint, tracker.projectSlug, tracker.provider['path']];
  return parts.filter((part) => typeof part === 'string').join(' ');
}

/** The part of the configuration a run may see: everything but the tracker and its credential. */
export function runSettings(config: Config): RunSettings {
  return {
    trackerKind: config.tracker.kind,
    trackerScope: trackerScope(config.tracker),
    promptTemplate: config.promptTemplate,
    repo: config.repo,
    workspace: config.workspace,
    hooks: config.hooks,
    agent: config.agent,
    codex: config.codex,
    claude: config.claude,
    policy: config.policy,
    verify: config.verify,
    sandbox: config.sandbox,
  };
}
