import { createHash, randomBytes } from 'node:crypto';
import type { Config, RepoConfig } from '../../config/config.ts';
import type { Environment } from '../../config/read/environment.ts';
import { systemClock } from '../../domain/clock.ts';
import { createGovernors } from '../../http/budget/governors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Redactor } from '../../observability/redact.ts';
import { redactTexts } from '../../observability/redact-texts.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import { type WorkflowSnapshot, workflowSnapshot } from '../../orchestrator/workflow-snapshot.ts';
import { RUN_OWNER_VARIABLE } from '../../process/children/orphans.ts';
import { createPromptRenderer } from '../../prompt/render.ts';
import { createRunExecutor } from '../../run/execute-run.ts';
import type { ExecuteRun, RunSettings } from '../../run/protocol.ts';
import { createRunner } from '../../runners/registry.ts';
import { createTracker } from '../../trackers/registry.ts';
import { runHook } from '../../workspaces/checkout/hooks.ts';
import { assertOwnDirectory, openRoot } from '../../workspaces/files/path-safety.ts';
import {
  createWorkspacesThroughHelper,
  writeTaskFilesThroughHelper,
} from '../../workspaces/helper/through-helper.ts';
import type { Retention } from '../../workspaces/rescue/retention.ts';
import type { OwnedWorkspace, Workspaces } from '../../workspaces/workspaces.ts';

import { ChildEnvironments, issueVariables, secretNames } from './child-environments.ts';
import { hookSandbox } from './hook-sandbox.ts';
import { promptInput, shownIssue } from './prompt-input.ts';
import { createRunTools } from './run-tools.ts';
import { runnerFaults, withHint } from './runner-faults.ts';

/** Puts adapters, by their registries, and the parts of a run together. What it makes shares one environment and one log. */
export class Composition {
  readonly #environment: Environment;
  readonly #logger: Logger;
  readonly #redact: (text: string) => string;
  /** A reloaded workflow goes on with what its token has left. */
  readonly #governors = createGovernors({ clock: systemClock });
  /** One per root, scope and repository, because simultaneous runs share their fetches. */
  readonly #workspaces = new Map<string, Workspaces>();
  readonly #children: ChildEnvironments;

  constructor(environment: Environment, logger: Logger, redactor: Pick<Redactor, 'redact'>) {
    this.#environment = environment;
    this.#logger = logger;
    this.#redact = (text) => redactor.redact(text);
    this.#children = new ChildEnvironments(environment, logger);
  }

  /** A tracker or runner that cannot be made forbids dispatch and says why; the worker itself goes on. */
  async workflow(config: Config): Promise<WorkflowSnapshot> {
    const faults = await runnerFaults(config);
    if (faults.length > 0) return workflowSnapshot(config, null, faults);
    try {
      await this.#children.learn(config);
      const tracker = await createTracker(config.tracker, {
        logger: this.#logger,
        clock: systemClock,
        governors: this.#governors,
      });
      const tools = await createRunTools(config, tracker, {
        push: (issue, request, signal) =>
          this.workspaces(runSettings(config)).push(issue.identifier, request, signal),
        governors: this.#governors,
        logger: this.#logger,
        redact: this.#redact,
      });
      return workflowSnapshot(config, tracker, [], tools);
    } catch (error) {
      return workflowSnapshot(config, null, [withHint(error)]);
    }
  }

  /** What an agent of this workflow starts with, before there is a run. */
  lookingEnvironment(config: Config): Record<string, string> {
    return this.#children.forLooking(config);
  }

  /** For the orchestrator: with `before_remove` run by the hooks in force now. */
  workspacesOf({
    config,
  }: WorkflowSnapshot): Pick<Workspaces, 'list' | 'remove' | 'push' | 'branchStanding'> {
    const workspaces = this.workspaces(runSettings(config));
    return {
      list: () => workspaces.list(),
      push: async (identifier, request, signal) =>
        redactTexts(await workspaces.push(identifier, request, signal), this.#redact),
      branchStanding: (identifier, signal) => workspaces.branchStanding(identifier, signal),
      remove: (identifier, signal, options) =>
        workspaces.remove(identifier, signal, {
          ...options,
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
      environment: this.#children.forHook(secretNames(config), hooks, ownerVariables(runSettings(config))),
      ...hookSandbox(config, workspace.path),
      logger: this.#logger,
      redact: this.#redact,
      signal,
    });
  }

  workspaces(settings: RunSettings): Workspaces {
    const { root, mirrorRoot } = settings.workspace;
    const scope = { trackerKind: settings.trackerKind, trackerScope: settings.trackerScope };
    const { repo, reusesIds } = settings;
    const key = JSON.stringify([
      settings.workspace,
      settings.rescue,
      scope,
      repo,
      credentialFingerprint(repo),
    ]);
    const existing = this.#workspaces.get(key);
    if (existing !== undefined) return existing;
    const workspaces = createWorkspacesThroughHelper({
      root,
      mirrorRoot,
      scope,
      reusesIds,
      repo,
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
      runner: (settings) => createRunner(settings.agent.kind, settings),
      renderPrompt: (spec, workspace) => renderer.render(promptInput(spec, workspace)),
      runHook: (name, spec, workspace, signal, report) =>
        runHook({
          name,
          hooks: spec.settings.hooks,
          workspacePath: workspace.path,
          variables: issueVariables(spec, workspace),
          environment: this.#children.forHook(
            spec.secretEnvironmentNames,
            spec.settings.hooks,
            ownerVariables(spec.settings),
          ),
          ...hookSandbox(spec.settings, workspace.path),
          logger: this.#logger,
          redact: this.#redact,
          signal,
          report,
        }),
      writeTaskFiles: (spec, workspace, prompt) =>
        writeTaskFilesThroughHelper({
          workspacePath: workspace.path,
          issue: shownIssue(spec),
          prompt,
          policyMode: spec.settings.policy.mode,
        }),
      assertWorkspace: async ({ settings }, workspace) =>
        assertOwnDirectory(await openRoot(settings.workspace.root), workspace.path),
      agentEnvironment: (spec, workspace) =>
        this.#children.forAgent(spec, workspace, ownerVariables(spec.settings)),
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

/** Tells one credential from another without being it. */
function credentialFingerprint(repo: RepoConfig | null): string {
  const { username, password } = repo?.credential ?? {};
  const text = JSON.stringify([username?.reveal(), password?.reveal()]);
  return createHash('sha256').update(text).digest('hex');
}

function ownerVariables(settings: RunSettings): Record<string, string> {
  return { [RUN_OWNER_VARIABLE]: runOwner(settings) };
}

export function newBootId(): string {
  return `r${systemClock.now().toString(36)}${randomBytes(2).toString('hex')}`;
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
