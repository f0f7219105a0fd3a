import { createHash, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { systemClock } from '../domain/clock.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { runSettings } from '../orchestrator/run-settings.ts';
import { type WorkflowSnapshot, workflowSnapshot } from '../orchestrator/workflow-snapshot.ts';
import { AGENT_ENV_DENY_LIST, buildChildEnvironment } from '../process/environment.ts';
import { RUN_OWNER_VARIABLE } from '../process/orphans.ts';
import { createPromptRenderer, type PromptInput } from '../prompt/render.ts';
import { createRunExecutor } from '../run/execute-run.ts';
import type { ExecuteRun, RunSettings, RunSpec } from '../run/protocol.ts';
import { cacheVariables } from '../runners/agent-caches.ts';
import { captureLoginEnvironment } from '../runners/login-environment.ts';
import { createRunner } from '../runners/registry.ts';
import { createGovernors } from '../trackers/http/governors.ts';
import { createTracker } from '../trackers/registry.ts';
import { createWorkspaces } from '../workspaces/create-workspaces.ts';
import { runHook } from '../workspaces/hooks.ts';
import { assertOwnDirectory, openRoot } from '../workspaces/path-safety.ts';
import type { Retention } from '../workspaces/rescue-retention.ts';
import { writeTaskFiles } from '../workspaces/task-files.ts';
import type { OwnedWorkspace, Workspace, Workspaces } from '../workspaces/workspaces.ts';

/** The only file that names concrete adapters. What it makes shares one environment and one log. */
export class Composition {
  readonly #environment: Environment;
  readonly #logger: Logger;
  /** A reloaded workflow goes on with what its token has left. */
  readonly #governors = createGovernors({ clock: systemClock });
  /** One per root and scope, because simultaneous runs share their fetches. */
  readonly #workspaces = new Map<string, Workspaces>();
  /** Tracker credentials of every configuration so far; no child gets a variable that holds one. */
  readonly #secrets = new Set<string>();
  #login: Readonly<Record<string, string>> = {};

  constructor(environment: Environment, logger: Logger) {
    this.#environment = environment;
    this.#logger = logger;
  }

  /** A tracker or runner that cannot be made forbids dispatch and says why; the worker itself goes on. */
  async workflow(config: Config): Promise<WorkflowSnapshot> {
    try {
      await createRunner(config.agent.default, config);
      await this.#learn(config);
      const tracker = await createTracker(config.tracker, {
        logger: this.#logger,
        clock: systemClock,
        governors: this.#governors,
        linearGraphql: config.codex.linearGraphql,
      });
      return workflowSnapshot(config, tracker);
    } catch (error) {
      return workflowSnapshot(config, null, [withHint(error)]);
    }
  }

  /** For the orchestrator: with `before_remove` run by the hooks in force now. */
  workspacesOf({ config }: WorkflowSnapshot): Pick<Workspaces, 'list' | 'remove'> {
    const workspaces = this.workspaces(runSettings(config));
    return {
      list: () => workspaces.list(),
      remove: (identifier, signal) =>
        workspaces.remove(identifier, signal, {
          reason: 'the issue is terminal',
          beforeRemove: (workspace) => this.#beforeRemove(config, workspace, signal),
        }),
    };
  }

  async #beforeRemove(config: Config, workspace: OwnedWorkspace, signal: AbortSignal): Promise<void> {
    const { hooks } = config;
    await runHook({
      name: 'beforeRemove',
      hooks,
      workspacePath: workspace.path,
      variables: {
        AIOPS_ISSUE_ID: workspace.issueId,
        AIOPS_ISSUE_IDENTIFIER: workspace.identifier,
        AIOPS_WORKSPACE: workspace.path,
      },
      environment: this.#childEnvironment(secretNames(config), hooks.envPassthrough, {}),
      logger: this.#logger,
      signal,
    });
  }

  workspaces(settings: RunSettings): Workspaces {
    const { root, mirrorRoot } = settings.workspace;
    const scope = { trackerKind: settings.trackerKind, trackerScope: settings.trackerScope };
    const key = JSON.stringify([settings.workspace, settings.rescue, scope]);
    const existing = this.#workspaces.get(key);
    if (existing !== undefined) return existing;
    const workspaces = createWorkspaces({
      root,
      mirrorRoot,
      scope,
      environment: this.#environment,
      logger: this.#logger,
      cloneDepth: settings.workspace.cloneDepth ?? 0,
      partialClone: settings.workspace.partialClone ? 'blob:none' : null,
      minFreeBytes: settings.workspace.minFreeMb * MEBIBYTE,
      rescueRetention: rescueRetention(settings.rescue),
    });
    this.#workspaces.set(key, workspaces);
    return workspaces;
  }

  runExecutor(): ExecuteRun {
    const renderer = createPromptRenderer();
    return createRunExecutor({
      clock: systemClock,
      logger: this.#logger,
      workspaces: (settings) => this.workspaces(settings),
      runner: (settings) => createRunner(settings.agent.default, settings),
      renderPrompt: (spec, workspace) => renderer.render(promptInput(spec, workspace)),
      runHook: (name, spec, workspace, signal) =>
        runHook({
          name,
          hooks: spec.settings.hooks,
          workspacePath: workspace.path,
          variables: issueVariables(spec, workspace),
          environment: this.#childEnvironment(
            spec.secretEnvironmentNames,
            spec.settings.hooks.envPassthrough,
            {},
          ),
          logger: this.#logger,
          signal,
        }),
      writeTaskFiles: (spec, workspace, prompt) =>
        writeTaskFiles({ workspacePath: workspace.path, issue: spec.issue, prompt }),
      assertWorkspace: async ({ settings }, workspace) =>
        assertOwnDirectory(await openRoot(settings.workspace.root), workspace.path),
      agentEnvironment: (spec, workspace) =>
        this.#childEnvironment(
          spec.secretEnvironmentNames,
          agentPassthrough(spec.settings),
          {
            ...agentCaches(spec.settings, workspace),
            ...issueVariables(spec, workspace),
            [RUN_OWNER_VARIABLE]: runOwner(spec.settings),
          },
          this.#login,
        ),
    });
  }

  /** What a load or reload brings: the tracker's secret, and what the login shell of this user sets by now. */
  async #learn({ tracker, agent, codex, workspace }: Config): Promise<void> {
    if (tracker.apiKey !== null) this.#secrets.add(tracker.apiKey.reveal());
    if (agent.default === 'mock') return;
    const env = this.#childEnvironment([], codex.envPassthrough, {});
    this.#login = await captureLoginEnvironment({ env, cwd: dirname(workspace.root), logger: this.#logger });
  }

  #childEnvironment(
    names: readonly string[],
    passthrough: readonly string[],
    extra: Readonly<Record<string, string>>,
    login: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const secretNames = [...AGENT_ENV_DENY_LIST, ...names];
    const values = [this.#environment, login].flatMap((source) =>
      secretNames.flatMap((name) => source[name] ?? []),
    );
    return buildChildEnvironment({
      source: { ...this.#environment, ...login },
      passthrough,
      denyNames: names,
      denyValues: [...this.#secrets, ...values],
      extra,
    });
  }
}

/** One owner per worker lock, that is per root and tracker scope: whoever holds the lock may end what carries this mark. */
export function runOwner(settings: Pick<RunSettings, 'workspace' | 'trackerScope'>): string {
  return createHash('sha256')
    .update(JSON.stringify([settings.workspace.root, settings.trackerScope]))
    .digest('hex')
    .slice(0, 16);
}

export function newBootId(): string {
  return `r${systemClock.now().toString(36)}${randomBytes(2).toString('hex')}`;
}

export function journalPath(config: Config): string {
  return join(config.workspace.root, '.aiops', 'journal.sqlite');
}

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

/** Written 0 means without limit. */
function rescueRetention({ keepDays, maxMb }: RunSettings['rescue']): Retention {
  return {
    maxAgeMs: keepDays === 0 ? Number.POSITIVE_INFINITY : keepDays * DAY_MS,
    maxBytes: maxMb === 0 ? Number.POSITIVE_INFINITY : maxMb * MEBIBYTE,
  };
}

function secretNames({ tracker }: Config): readonly string[] {
  return tracker.apiKeyVariable === null ? [] : [tracker.apiKeyVariable];
}

/** What went wrong and what to do, in one text. */
function withHint(error: unknown): string {
  const message = messageOf(error);
  return error instanceof AppError && error.hint !== null ? `${message} ${error.hint}` : message;
}

function agentPassthrough({ agent, acp, claude, codex }: RunSettings): readonly string[] {
  if (agent.default === 'acp') return acp.envPassthrough;
  if (agent.default === 'claude') return [...claude.envPassthrough, 'CLAUDE_CONFIG_DIR'];
  return agent.default === 'codex-app-server'
    ? [...codex.envPassthrough, 'CODEX_HOME']
    : codex.envPassthrough;
}

/** Caches of the workspace's own, except where the workflow passes the user's on. */
function agentCaches({ agent, codex }: RunSettings, workspace: Workspace): Record<string, string> {
  if (agent.default !== 'codex-app-server') return {};
  const kept = Object.entries(cacheVariables(workspace.path)).filter(
    ([name]) => !codex.envPassthrough.includes(name),
  );
  return Object.fromEntries(kept);
}

function issueVariables(spec: RunSpec, workspace: Workspace): Record<string, string> {
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

function promptInput(spec: RunSpec, workspace: Workspace): PromptInput {
  const { settings } = spec;
  return {
    template: settings.promptTemplate,
    firstLine: settings.promptLine,
    issue: spec.issue,
    attempt: spec.attempt,
    retryKind: spec.retryKind,
    repo: settings.repo,
    trackerKind: settings.trackerKind,
    policyMode: settings.policy.mode,
    verifyCommands: settings.verify.commands,
    branch: workspace.git?.branch ?? null,
  };
}
