import type { Config, SandboxConfig, ServerConfig, TrackerConfig } from '../config.ts';
import { maskUserInfo } from '../resolve/clone-url.ts';
import { agentProgramsView, agentView } from './view-agent.ts';

export type ConfigView = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const MASK = '***';

/**
 * The settings under the names they are written with, safe to print: no credential, no user part of an address, and of what
 * `fromVariables` held only paths and addresses.
 */
export function configView(config: Config, fromVariables: ReadonlySet<string> = new Set()): ConfigView {
  const secrets = [...fromVariables].filter(mayBeSecret);
  return maskTexts(viewOf(config), secrets) as ConfigView;
}

/** What a variable held may be a credential wherever it was used; a path or a plain address is worth showing. */
function mayBeSecret(value: string): boolean {
  return value.length >= 4 && !/^(?:[~.]{0,2}\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(value);
}

function maskTexts(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name, secrets), maskTexts(item, secrets)]),
  );
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), maskUserInfo(text));
}

function viewOf(config: Config): ConfigView {
  const { repo, polling, workspace, hooks, policy, verify, sandbox, server, worker } = config;
  return {
    tracker: trackerView(config.tracker),
    repo: {
      clone_url: repo?.cloneUrl ?? null,
      owner: repo?.owner ?? null,
      name: repo?.name ?? null,
      default_branch: repo?.defaultBranch ?? null,
      token: repo?.token == null ? null : MASK,
      push: repo?.push ?? null,
    },
    forge: { kind: config.forge.kind, endpoint: config.forge.endpoint },
    polling: { interval_ms: polling.intervalMs },
    workspace: {
      root: workspace.root,
      mirror_root: workspace.mirrorRoot,
      clone_depth: workspace.cloneDepth,
      partial_clone: workspace.partialClone,
      min_free_mb: workspace.minFreeMb,
    },
    hooks: {
      after_create: hooks.commands.afterCreate,
      before_run: hooks.commands.beforeRun,
      after_run: hooks.commands.afterRun,
      before_remove: hooks.commands.beforeRemove,
      timeout_ms: hooks.timeoutMs,
      env_passthrough: hooks.envPassthrough,
      sandbox: hooks.sandbox,
    },
    agent: agentView(config.agent),
    ...agentProgramsView(config),
    prompt: { delimit: config.prompt.delimit },
    policy: { mode: policy.mode },
    verify: { commands: verify.commands },
    sandbox: sandboxView(sandbox),
    server: serverView(server),
    worker: {
      ssh_hosts: worker.sshHosts,
      max_concurrent_agents_per_host: worker.maxConcurrentAgentsPerHost,
    },
    observability: {
      dashboard_enabled: config.observability.dashboardEnabled,
      refresh_ms: config.observability.refreshMs,
      render_interval_ms: config.observability.renderIntervalMs,
    },
    rescue: { keep_days: config.rescue.keepDays, max_mb: config.rescue.maxMb },
    journal: { keep_days: config.journal.keepDays },
    notifications: {
      webhook_url: config.notifications.webhookUrl === null ? null : MASK,
      slack_url: config.notifications.slackUrl === null ? null : MASK,
      command: config.notifications.command,
      on: config.notifications.on,
    },
  };
}

function sandboxView(sandbox: SandboxConfig): Record<string, unknown> {
  return {
    enabled: sandbox.enabled,
    backend: sandbox.backend,
    network: sandbox.network,
    network_allowlist_cidrs: sandbox.networkAllowlistCidrs,
    network_interface: sandbox.networkInterface,
    env_allowlist: sandbox.envAllowlist,
    credential_files: sandbox.credentialFiles.map(() => MASK),
    writable_folders: sandbox.writableFolders,
  };
}

function serverView({ host, port, requireToken, webhooks }: ServerConfig): Record<string, unknown> {
  const secret = webhooks.secret === null ? null : MASK;
  return { host, port, require_token: requireToken, webhooks: { secret } };
}

function trackerView(tracker: TrackerConfig): Record<string, unknown> {
  return {
    kind: tracker.kind,
    api_key: tracker.apiKey === null ? null : MASK,
    endpoint: tracker.endpoint,
    project_slug: tracker.projectSlug,
    team_key: tracker.teamKey,
    assignee: tracker.assignee,
    path: tracker.provider['path'] ?? null,
    issue_prefix: tracker.provider['issue_prefix'] ?? null,
    provider: maskSecrets(tracker.provider),
    active_states: tracker.activeStates,
    terminal_states: tracker.terminalStates,
    inactive_states: tracker.inactiveStates,
    required_labels: tracker.requiredLabels,
    trust: tracker.trust ?? { authors: null, associations: null, labels: null },
    pagination_max_pages: tracker.paginationMaxPages,
  };
}

/** What an adapter will make of its own keys is not known here, so anything named like a credential is masked. */
function maskSecrets(provider: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const secret = /key$|token|secret|password|credential|auth/i;
  const mask = (name: string, value: unknown): unknown => {
    if (name !== 'team_key' && secret.test(name)) return MASK;
    if (Array.isArray(value)) return value.map((item) => mask(name, item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, mask(inner, item)]));
  };
  return Object.fromEntries(Object.entries(provider).map(([name, value]) => [name, mask(name, value)]));
}

/** The value at a dotted key, undefined when the view has none. */
export function valueAt(view: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, view);
}
