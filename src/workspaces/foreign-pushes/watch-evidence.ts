import type { RunEvidence } from '../../domain/run-outcome.ts';
import { timeoutSignal } from '../../domain/timeout-signal.ts';
import { type WorkspacesContext, withKeyLock } from '../context.ts';
import { type EvidenceBase, type KnownRemote, readEvidence } from '../reading/evidence.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { isForeign, noteForeign, type RemoteTip } from './note-foreign.ts';

const PATIENCE_MS = 30_000;

export interface WatchedBranch extends Omit<RemoteTip, 'tip'> {
  readonly branch: string;
}

/** The evidence of a run; from what the remote answers on the way, and no further question, it sees pushes from elsewhere. */
export async function watchEvidence(
  context: WorkspacesContext,
  view: RepositoryView,
  base: EvidenceBase & { readonly remote: KnownRemote },
  watched: WatchedBranch,
): Promise<RunEvidence> {
  const answers: string[] = [];
  const tips: KnownRemote['tips'] = async (branches) => {
    const answer = await base.remote.tips(branches);
    answers.push(...[answer?.get(watched.branch) ?? []].flat());
    return answer;
  };
  const evidence = await readEvidence(view, { ...base, remote: { ...base.remote, tips } });
  const tip = answers.at(-1);
  if (tip !== undefined && tip === evidence.headCommit) context.facts.noteOnRemote(view.workTree, tip);
  if (tip !== undefined && tip !== evidence.headCommit)
    await noteUnlessHere(context, view, { ...watched, tip });
  return evidence;
}

/** What the workspace has, the agent made or fetched itself, and may have pushed past the worker. */
async function noteUnlessHere(
  context: WorkspacesContext,
  view: RepositoryView,
  remote: RemoteTip,
): Promise<void> {
  const { layout, key, tip } = remote;
  if (!(await isForeign(layout, key, tip))) return;
  if ((await view.query(['cat-file', '-e', `${tip}^{commit}`])) !== null) return;
  const signal = remote.signal ?? timeoutSignal(PATIENCE_MS);
  await withKeyLock(context, layout, key, 'noting a push from elsewhere', signal, () =>
    noteForeign(context, remote),
  );
}
