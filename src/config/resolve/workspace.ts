import type { HooksConfig, WorkspaceConfig } from '../config.ts';
import { overlaps } from '../roots/shared-roots.ts';
import { defaultMirrorRoot, defaultRoot, stateFolderOf } from '../roots/state-folder.ts';
import type { WrittenWorkflow } from '../schema/workflow.ts';
import type { Resolution } from './context.ts';

export function resolveWorkspace(at: Resolution, workflowPath: string): WorkspaceConfig {
  const { workspace } = at.written;
  const stateFolder = stateFolderOf(workflowPath, at.environment);
  const config: WorkspaceConfig = {
    root: resolveRoot(at, 'workspace.root', workspace.root, 'AIOPS_WORKSPACE_ROOT', () =>
      defaultRoot(stateFolder),
    ),
    mirrorRoot: resolveRoot(at, 'workspace.mirror_root', workspace.mirror_root, 'AIOPS_MIRROR_ROOT', () =>
      defaultMirrorRoot(stateFolder),
    ),
    cloneDepth: workspace.clone_depth ?? null,
    partialClone: workspace.partial_clone,
    minFreeMb: workspace.min_free_mb,
  };
  if (at.dialect === 'go' && overlaps(config.root, config.mirrorRoot)) {
    const key = at.has('workspace.mirror_root') ? 'workspace.mirror_root' : 'workspace.root';
    const message = `workspace.root ${config.root} and workspace.mirror_root ${config.mirrorRoot} overlap`;
    at.problem(key, message, 'Give each a directory of its own, neither inside the other.', 'shared_root');
  }
  return config;
}

/** The file wins over the variable, which wins over the default. */
function resolveRoot(
  at: Resolution,
  key: string,
  written: string | undefined,
  variable: string,
  usual: () => string,
): string {
  if (written !== undefined) return at.expandPath(key, written) ?? usual();
  const value = at.variable(variable);
  if (value === null) return at.absolute(usual());
  at.from(key, 'env', variable);
  return at.absolute(value);
}

type WrittenHook = WrittenWorkflow['hooks']['after_run'];

export function resolveHooks(at: Resolution): HooksConfig {
  const { hooks, sandbox } = at.written;
  if (hooks.sandbox && !sandbox.enabled) {
    at.problem(
      'hooks.sandbox',
      'hooks.sandbox is true, but there is no sandbox: sandbox.enabled is false',
      'Set sandbox.enabled: true, or take hooks.sandbox out.',
    );
  }
  return {
    commands: {
      afterCreate: commandsOf(hooks.after_create),
      beforeRun: commandsOf(hooks.before_run),
      afterRun: commandsOf(hooks.after_run),
      beforeRemove: commandsOf(hooks.before_remove),
    },
    timeoutMs: hooks.timeout_ms,
    envPassthrough: hooks.env_passthrough,
    sandbox: hooks.sandbox,
  };
}

function commandsOf(hook: WrittenHook): readonly string[] {
  if (hook === undefined) return [];
  if (typeof hook === 'string') return [hook];
  return 'commands' in hook ? hook.commands : hook;
}
