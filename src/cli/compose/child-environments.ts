import { dirname } from 'node:path';
import type { Config, HooksConfig } from '../../config/config.ts';
import type { ResolvedAgent } from '../../config/kinds.ts';
import type { Environment } from '../../config/read/environment.ts';
import type { Logger } from '../../observability/logger.ts';
import { AGENT_ENV_DENY_LIST, buildChildEnvironment } from '../../process/children/environment.ts';
import { variablesNamedIn } from '../../process/children/named-variables.ts';
import type { RunSpec } from '../../run/protocol.ts';
import { agentKind } from '../../runners/registry.ts';
import { cacheVariables } from '../../runners/start/agent-caches.ts';
import { captureLoginEnvironment } from '../../runners/start/login-environment.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';

/** What the worker's children may see: an allow-list, without any credential it has ever known. */
export class ChildEnvironments {
  readonly #environment: Environment;
  readonly #logger: Logger;
  /** Secrets of every configuration so far that no child may have, whatever the variable that holds one. */
  readonly #secrets = new Set<string>();
  /** Variables that every configuration so far named for its secrets. */
  readonly #names = new Set<string>();
  #login: Readonly<Record<string, string>> = {};

  constructor(environment: Environment, logger: Logger) {
    this.#environment = environment;
    this.#logger = logger;
  }

  /** What a load or reload brings: its secrets, and what the login shell of this user sets by now. */
  async learn(config: Config): Promise<void> {
    const { repo, agent, workspace } = config;
    const password = repo?.credential?.password ?? null;
    for (const secret of [password, ...config.secrets.map(({ value }) => value)])
      if (secret !== null) this.#secrets.add(secret.reveal());
    for (const name of secretNames(config)) this.#names.add(name);
    const agents = [agent, ...agent.profiles.map((profile) => profile.agent)];
    if (agents.every(({ kind }) => agentKind(kind).builtIn === true)) return;
    const env = this.#build([], agent.environment, {});
    this.#login = await captureLoginEnvironment({ env, cwd: dirname(workspace.root), logger: this.#logger });
  }

  /**
   * With the variables that the hooks' own commands name, secrets excepted. By `ownerVariables` the worker finds its own
   * children again.
   */
  forHook(
    secretNames: readonly string[],
    { envPassthrough, ...hooks }: HooksConfig,
    ownerVariables: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const commands = [hooks.afterCreate, hooks.beforeRun, hooks.afterRun, hooks.beforeRemove];
    const named = commands.flat().flatMap(variablesNamedIn);
    return this.#build(secretNames, [...envPassthrough, ...named], ownerVariables);
  }

  /** `ownerVariables` as for a hook. */
  forAgent(
    spec: RunSpec,
    workspace: Workspace,
    ownerVariables: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const extra = {
      ...agentCaches(spec.settings.agent, workspace),
      ...issueVariables(spec, workspace),
      ...ownerVariables,
    };
    const login = agentKind(spec.settings.agent.kind).builtIn === true ? {} : this.#login;
    return this.#build(spec.secretEnvironmentNames, passedTo(spec.settings.agent), extra, login);
  }

  /** What an agent starts with before there is a run, to look for its program. */
  forLooking(config: Config): Record<string, string> {
    return this.#build(secretNames(config), passedTo(config.agent), {}, this.#login);
  }

  #build(
    ofRun: readonly string[],
    passthrough: readonly string[],
    extra: Readonly<Record<string, string>>,
    login: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const names = [...ofRun, ...this.#names];
    const values = [this.#environment, login].flatMap((source) => credentialsIn(source, names));
    return buildChildEnvironment({
      source: { ...this.#environment, ...login },
      passthrough,
      denyNames: names,
      denyValues: [...this.#secrets, ...values],
      extra,
    });
  }
}

/** Values of the variables that carry credentials by their name, in any spelling of upper and lower case. */
function credentialsIn(source: Environment, names: readonly string[]): readonly string[] {
  const denied = new Set([...AGENT_ENV_DENY_LIST, ...names].map((name) => name.toUpperCase()));
  return Object.entries(source).flatMap(([name, value]) =>
    value !== undefined && denied.has(name.toUpperCase()) ? [value.trim()] : [],
  );
}

/** Variables whose values are credentials, by what the workflow says. */
export function secretNames({ secrets }: Config): readonly string[] {
  return [...new Set(secrets.flatMap(({ variable }) => variable ?? []))];
}

/** What the workflow lists, what its command names, and where the agent keeps its own state. */
function passedTo({ command, environment }: ResolvedAgent): readonly string[] {
  return [...environment, ...variablesNamedIn(command)];
}

/** Caches of the workspace's own, except where the workflow passes the user's on. */
function agentCaches({ kind, environment }: ResolvedAgent, workspace: Workspace): Record<string, string> {
  if (agentKind(kind).cachesInWorkspace !== true) return {};
  const kept = Object.entries(cacheVariables(workspace.path)).filter(([name]) => !environment.includes(name));
  return Object.fromEntries(kept);
}

/** What hooks and agents are told about the issue they work on. */
export function issueVariables(spec: RunSpec, workspace: Workspace): Record<string, string> {
  return {
    AIOPS_ISSUE_ID: spec.issue.id,
    AIOPS_ISSUE_IDENTIFIER: spec.issue.identifier,
    AIOPS_ISSUE_STATE: spec.issue.state,
    AIOPS_WORKSPACE: workspace.path,
    AIOPS_ATTEMPT: String(spec.attempt ?? 0),
    ...(workspace.git === null
      ? {}
      : { AIOPS_BRANCH: workspace.git.branch, AIOPS_BASE_BRANCH: workspace.git.baseBranch }),
  };
}
