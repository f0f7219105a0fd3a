import {
  type BranchStanding,
  NO_EVIDENCE,
  type RunEvidence,
  UNKNOWN_STANDING,
} from '../domain/run-outcome.ts';
import { openLayout, type WorkspacesContext, withView } from './context.ts';
import { assertOwnDirectory } from './files/path-safety.ts';
import { watchEvidence } from './foreign-pushes/watch-evidence.ts';
import { branchName } from './ownership/branch-name.ts';
import { listWorkspaces } from './ownership/list-workspaces.ts';
import { branchOf, listRecords, readRecord } from './ownership/ownership-record.ts';
import { readEvidence } from './reading/evidence.ts';
import { readGitFacts } from './reading/facts.ts';
import { knownRemote } from './reading/known-remote.ts';
import type { RepositoryView } from './reading/repository-view.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

export function createInspection(
  context: WorkspacesContext,
): Pick<Workspaces, 'evidence' | 'reread' | 'branchStanding'> {
  return {
    evidence: (workspace, signal) => evidenceOf(context, workspace, signal),
    branchStanding: (identifier, signal) => branchStanding(context, identifier, signal),
    reread: (workspace) => reread(context, workspace),
  };
}

async function evidenceOf(
  context: WorkspacesContext,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<RunEvidence> {
  const layout = await openLayout(context);
  await assertOwnDirectory(layout.root, workspace.path);
  const { git } = workspace;
  const mirrorPath = git?.mirrorPath ?? null;
  const look = async (view: RepositoryView | null): Promise<RunEvidence> => {
    if (view === null) return NO_EVIDENCE;
    const baseBranch = git?.baseBranch ?? null;
    const headAtStart = git?.headAtStart ?? null;
    if (mirrorPath === null || baseBranch === null || git === null)
      return readEvidence(view, { baseBranch, headAtStart, remote: null });
    const remote = await knownRemote(context.git, mirrorPath, baseBranch, signal);
    const watched = { layout, key: workspace.key, branch: git.branch, mirrorPath, signal };
    return watchEvidence(context, view, { baseBranch, headAtStart, remote, facts: context.facts }, watched);
  };
  return withView(context, layout, workspace.path, mirrorPath, look, signal);
}

async function branchStanding(
  context: WorkspacesContext,
  identifier: string,
  signal: AbortSignal,
): Promise<BranchStanding> {
  const layout = await openLayout(context);
  const owned = await listWorkspaces(layout, context.scope);
  const path = owned.find((workspace) => workspace.identifier === identifier)?.path;
  const records = await listRecords(layout, context.scope);
  const repository = records.find((record) => record.identifier === identifier)?.repository ?? null;
  if (path === undefined || repository === null) return UNKNOWN_STANDING;
  await assertOwnDirectory(layout.root, path);
  const mirrorPath = (await context.mirrors.peek(repository, signal))?.path ?? null;
  const look = async (view: RepositoryView | null): Promise<BranchStanding> => {
    const baseBranch = context.repo?.defaultBranch ?? null;
    if (view === null || mirrorPath === null || baseBranch === null) return UNKNOWN_STANDING;
    const remote = await knownRemote(context.git, mirrorPath, baseBranch, signal);
    const { pushed, commitsAhead } = await readEvidence(view, { baseBranch, headAtStart: null, remote });
    return { pushed, commitsAhead };
  };
  return withView(context, layout, path, mirrorPath, look, signal);
}

async function reread(context: WorkspacesContext, workspace: Workspace): Promise<Workspace> {
  const layout = await openLayout(context);
  await assertOwnDirectory(layout.root, workspace.path);
  const record = await readRecord(layout, workspace.key);
  const branch = record === null || record === 'unreadable' ? branchName(workspace.key) : branchOf(record);
  const mirrorPath = workspace.git?.mirrorPath ?? null;
  const git = await withView(context, layout, workspace.path, mirrorPath, (view) =>
    readGitFacts(view, {
      branch: workspace.git?.branch ?? branch,
      baseBranch: mirrorPath === null ? null : (workspace.git?.baseBranch ?? null),
      mirror: mirrorPath === null ? null : { path: mirrorPath },
    }),
  );
  return { ...workspace, git };
}
