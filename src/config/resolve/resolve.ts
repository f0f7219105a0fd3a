import { sep } from 'node:path';
import type { Config, TrackerConfig, WorkspaceConfig } from '../config.ts';
import { overlaps } from '../roots/shared-roots.ts';
import type { Block, BlockSettings } from '../schema/key.ts';
import { checkSandbox } from '../schema/sandbox.ts';
import { readBlock } from '../schema/settings.ts';
import { PLAIN_BLOCKS } from '../schema/workflow.ts';
import { resolveAgent } from './agent.ts';
import { AgentSections } from './agent-sections.ts';
import type { Resolution } from './context.ts';
import { resolveForge } from './forge.ts';
import { resolveProfiles } from './profiles.ts';
import { resolveRepo, withCredential } from './repo.ts';
import { resolveSecrets } from './secrets.ts';
import { resolveTracker } from './tracker.ts';

/** Written keys to settings. What is wrong is reported to `at`; the result is only good when nothing was. */
export function resolveConfig(
  at: Resolution,
  prompt: { readonly text: string; readonly line: number },
): Config {
  const written = resolveRepo(at);
  at.repository = written?.repo ?? null;
  const tracker = resolveTracker(at);
  at.stateNames = [...tracker.activeStates, ...tracker.inactiveStates, ...tracker.terminalStates];
  at.secrets = resolveSecrets(at, tracker);
  const repo = written === null ? null : withCredential(at, written, tracker);
  const sections = new AgentSections(at);
  const plain = readPlainBlocks(at);
  checkSandbox(at);
  checkRoots(at, plain.workspace);
  checkFolderOfIssues(at, tracker, plain.workspace);
  const agent = resolveAgent(at, sections);
  return {
    workflowPath: at.file,
    dialect: at.dialect,
    promptTemplate: prompt.text,
    promptLine: prompt.line,
    repo,
    forge: resolveForge(at, repo, tracker),
    tracker,
    agent: { ...agent, profiles: resolveProfiles(at, { agent, sections, tracker }) },
    agents: Object.fromEntries(sections.options),
    ...plain,
    server: {
      ...plain.server,
      portWritten: at.has('server.port') || at.overrides.port !== undefined,
    },
    secrets: at.secrets,
  };
}

type PlainSettings = {
  readonly [Name in keyof typeof PLAIN_BLOCKS]: BlockSettings<(typeof PLAIN_BLOCKS)[Name]>;
};

function readPlainBlocks(at: Resolution): PlainSettings {
  const blocks: readonly [string, Block][] = Object.entries(PLAIN_BLOCKS);
  const settings = blocks.map(([name, block]) => {
    return [name, readBlock(at, block, at.valueAt(name), (key) => `${name}.${key}`)];
  });
  return Object.fromEntries(settings);
}

function checkRoots(at: Resolution, { root, mirrorRoot }: WorkspaceConfig): void {
  if (at.dialect !== 'go' || !overlaps(root, mirrorRoot)) return;
  const key = at.has('workspace.mirror_root') ? 'workspace.mirror_root' : 'workspace.root';
  const message = `workspace.root ${root} and workspace.mirror_root ${mirrorRoot} overlap`;
  at.problem(key, message, 'Give each a directory of its own, neither inside the other.', 'shared_root');
}

/** Every file in the folder of issues is read as an issue, so no workspace may be in it. */
function checkFolderOfIssues(at: Resolution, tracker: TrackerConfig, { root }: WorkspaceConfig): void {
  const { isFolder, place } = tracker;
  if (!isFolder || place === null || !`${root}${sep}`.startsWith(`${place}${sep}`)) return;
  const message = `workspace.root ${root} is inside the folder of issues ${place}`;
  at.problem(
    'workspace.root',
    message,
    'Move the workspaces or the issues to a directory of their own.',
    'shared_root',
  );
}
