import type { HookName } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { HookEnded } from '../domain/run-event.ts';
import type { Logger } from '../observability/logger.ts';
import type { Runner } from '../runners/runner.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';
import type { RunSettings, RunSpec } from './protocol.ts';

/** What a run needs around it. Each is bound to the spec's own settings, never to the live configuration. */
export interface RunPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  workspaces(settings: RunSettings): Workspaces;
  runner(settings: RunSettings): Promise<Runner>;
  renderPrompt(spec: RunSpec, workspace: Workspace): Promise<string>;
  /** Throws `hook_failed`. */
  runHook(
    name: HookName,
    spec: RunSpec,
    workspace: Workspace,
    signal: AbortSignal,
    report: (ended: HookEnded) => void,
  ): Promise<void>;
  /** Leaves the prompt and the task where a person or the agent can read them. */
  writeTaskFiles(spec: RunSpec, workspace: Workspace, prompt: string): Promise<void>;
  /** Throws unless the workspace is still the real directory inside the root that was prepared; hooks ran since. */
  assertWorkspace(spec: RunSpec, workspace: Workspace): Promise<void>;
  agentEnvironment(spec: RunSpec, workspace: Workspace): Readonly<Record<string, string>>;
}
