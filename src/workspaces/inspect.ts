import { NO_EVIDENCE } from '../domain/run-outcome.ts';
import { branchName } from './branch-name.ts';
import { openLayout, type WorkspacesContext, withView } from './context.ts';
import { type RemoteAnswer, readEvidence } from './evidence.ts';
import { readGitFacts } from './git-facts.ts';
import { listOwned } from './owned.ts';
import { listRecords, readRecord } from './ownership.ts';
import { assertOwnDirectory } from './path-safety.ts';
import type { RepositoryView } from './repository-view.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

const REMOTE_PATIENCE_MS = 30_000;

export function createInspection(
  context: WorkspacesContext,
): Pick<Workspaces, 'evidence' | 'reread' | 'isPushed'> {
  async function askRemote(
    mirrorPath: string,
    branch: string,
    stop?: AbortSignal,
  ): Promise<RemoteAnswer | null> {
    const ref = `refs/heads/${branch}`;
    try {
      const output = await context.git.run(['ls-remote', 'origin', ref], {
        cwd: mirrorPath,
        action: `asking the remote for ${branch}`,
        network: true,
        signal: AbortSignal.any([
          AbortSignal.timeout(REMOTE_PATIENCE_MS),
          ...(stop === undefined ? [] : [stop]),
        ]),
      });
      const line = output.split('\n').find((candidate) => candidate.endsWith(`\t${ref}`));
      return { tip: line?.split('\t')[0] ?? null };
    } catch {
      return null; // The workspace's own knowledge of the remote has to do.
    }
  }

  return {
    async evidence(workspace, signal) {
      const layout = await openLayout(context);
      await assertOwnDirectory(layout.root, workspace.path);
      const { git } = workspace;
      const mirrorPath = git?.mirrorPath ?? null;
      return withView(
        context,
        layout,
        workspace.path,
        mirrorPath,
        async (view) => {
          if (view === null) return NO_EVIDENCE;
          return readEvidence(view, {
            baseBranch: git?.baseBranch ?? null,
            headAtStart: git?.headAtStart ?? null,
            askRemote: async (branch) => (mirrorPath === null ? null : askRemote(mirrorPath, branch, signal)),
          });
        },
        signal,
      );
    },
    async isPushed(identifier, signal) {
      const layout = await openLayout(context);
      const owned = await listOwned(layout, context.scope);
      const path = owned.find((workspace) => workspace.identifier === identifier)?.path;
      const records = await listRecords(layout, context.scope);
      const repository = records.find((record) => record.identifier === identifier)?.repository ?? null;
      if (path === undefined || repository === null) return null;
      await assertOwnDirectory(layout.root, path);
      const mirrorPath = (await context.mirrors.peek(repository, signal))?.path ?? null;
      const look = async (view: RepositoryView | null): Promise<boolean | null> => {
        if (view === null || mirrorPath === null) return null;
        const { pushed } = await readEvidence(view, {
          baseBranch: context.repo?.defaultBranch ?? null,
          headAtStart: null,
          askRemote: (branch) => askRemote(mirrorPath, branch, signal),
        });
        return pushed;
      };
      return withView(context, layout, path, mirrorPath, look, signal);
    },
    async reread(workspace): Promise<Workspace> {
      const layout = await openLayout(context);
      await assertOwnDirectory(layout.root, workspace.path);
      const record = await readRecord(layout, workspace.key);
      const issueId = record === null || record === 'unreadable' ? workspace.key : record.issueId;
      const mirrorPath = workspace.git?.mirrorPath ?? null;
      const git = await withView(context, layout, workspace.path, mirrorPath, (view) =>
        readGitFacts(view, {
          branch: workspace.git?.branch ?? branchName(issueId),
          baseBranch: mirrorPath === null ? null : (workspace.git?.baseBranch ?? null),
          mirror: mirrorPath === null ? null : { path: mirrorPath },
        }),
      );
      return { ...workspace, git };
    },
  };
}
