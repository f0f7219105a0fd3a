import {
  type BranchStanding,
  NO_EVIDENCE,
  type RunEvidence,
  UNKNOWN_STANDING,
} from '../../domain/run-outcome.ts';
import { timeoutSignal } from '../../domain/timeout-signal.ts';
import { branchName } from '../checkout/branch-name.ts';
import { openLayout, type WorkspacesContext, withView } from '../context.ts';
import { watchEvidence } from '../foreign-pushes/watch-evidence.ts';
import { readGitFacts } from '../git/facts.ts';
import { listWorkspaces } from '../ownership/list-workspaces.ts';
import { branchOf, listRecords, readRecord } from '../ownership/ownership-record.ts';
import { assertOwnDirectory } from '../ownership/path-safety.ts';
import type { Workspace, Workspaces } from '../workspaces.ts';
import { type KnownRemote, readEvidence } from './evidence.ts';
import type { RepositoryView } from './repository-view.ts';

const REMOTE_PATIENCE_MS = 30_000;

export function createInspection(
  context: WorkspacesContext,
): Pick<Workspaces, 'evidence' | 'reread' | 'branchStanding'> {
  /** What the worker's own mirror knows, and what the remote says when it is asked. */
  async function knownRemote(
    mirrorPath: string,
    baseBranch: string,
    stop?: AbortSignal,
  ): Promise<KnownRemote> {
    const tip = await context.git.attempt(
      ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${baseBranch}^{commit}`],
      { cwd: mirrorPath, action: `looking for ${baseBranch} in the mirror` },
    );
    return {
      baseTip: tip.code === 0 ? tip.stdout.trim() : null,
      tips: (branches) => askRemote(mirrorPath, branches, stop),
    };
  }

  async function askRemote(
    mirrorPath: string,
    branches: readonly string[],
    stop?: AbortSignal,
  ): Promise<ReadonlyMap<string, string> | null> {
    if (branches.length === 0) return new Map();
    try {
      const refs = branches.map((branch) => `refs/heads/${branch}`);
      const output = await context.git.run(['ls-remote', 'origin', ...refs], {
        cwd: mirrorPath,
        action: `asking the remote for ${branches[0]}`,
        network: true,
        signal: timeoutSignal(REMOTE_PATIENCE_MS, [stop]),
      });
      const lines = output.split('\n').map((line) => line.split('\t'));
      return new Map(
        lines.flatMap(([id = '', ref = '']): [string, string][] =>
          ref.startsWith('refs/heads/') ? [[ref.slice('refs/heads/'.length), id]] : [],
        ),
      );
    } catch {
      return null;
    }
  }

  return {
    async evidence(workspace, signal) {
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
        const remote = await knownRemote(mirrorPath, baseBranch, signal);
        const watched = { layout, key: workspace.key, branch: git.branch, mirrorPath, signal };
        return watchEvidence(context, view, { baseBranch, headAtStart, remote }, watched);
      };
      return withView(context, layout, workspace.path, mirrorPath, look, signal);
    },
    async branchStanding(identifier, signal) {
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
        const remote = await knownRemote(mirrorPath, baseBranch, signal);
        const { pushed, commitsAhead } = await readEvidence(view, { baseBranch, headAtStart: null, remote });
        return { pushed, commitsAhead };
      };
      return withView(context, layout, path, mirrorPath, look, signal);
    },
    async reread(workspace): Promise<Workspace> {
      const layout = await openLayout(context);
      await assertOwnDirectory(layout.root, workspace.path);
      const record = await readRecord(layout, workspace.key);
      const branch =
        record === null || record === 'unreadable' ? branchName(workspace.key) : branchOf(record);
      const mirrorPath = workspace.git?.mirrorPath ?? null;
      const git = await withView(context, layout, workspace.path, mirrorPath, (view) =>
        readGitFacts(view, {
          branch: workspace.git?.branch ?? branch,
          baseBranch: mirrorPath === null ? null : (workspace.git?.baseBranch ?? null),
          mirror: mirrorPath === null ? null : { path: mirrorPath },
        }),
      );
      return { ...workspace, git };
    },
  };
}
