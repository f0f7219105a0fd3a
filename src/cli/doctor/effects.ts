import type { Config } from '../../config/config.ts';
import { trackerScopeOf } from '../../config/roots/shared-roots.ts';
import { stateFolderOf } from '../../config/roots/state-folder.ts';
import type { Effects } from '../../doctor/effects.ts';
import { systemClock } from '../../domain/clock.ts';
import { silentLogger } from '../../observability/logger.ts';
import { probeCgroups } from '../../process/cgroup/run-cgroup.ts';
import { isHolderAlive, readHolder } from '../../process/locks/lock-holder.ts';
import { whyNotPrivate } from '../../process/private-folder.ts';
import { isLoopbackAddress } from '../../server/access/loopback.ts';
import { journalPathOf } from '../../store/journal-path.ts';
import { workerLockPath } from '../../store/locks/worker-lock.ts';
import { openRootReader } from '../../store/sqlite/journal-reader.ts';
import { labelsMissing } from '../../trackers/forge/states/label-setup.ts';
import { openLabelSetup, readStates, trackerKind } from '../../trackers/registry.ts';
import { assertFreeSpace } from '../../workspaces/files/disk-space.ts';
import { gitCredentialOf } from '../../workspaces/git/credential.ts';
import { gitEnvironment } from '../../workspaces/git/environment.ts';
import { createGit, type Git } from '../../workspaces/git/git.ts';
import { repositoryIdentity } from '../../workspaces/git/repository-url.ts';
import { readForeignPushes } from '../../workspaces/ownership/seen-branch.ts';
import { tryPush } from '../../workspaces/push/try-push.ts';
import { readKeptRescues } from '../../workspaces/rescue/over-limit.ts';
import { findEarlierRoot } from '../compose/earlier-root.ts';
import type { CliIo } from '../io.ts';
import { readApiTokens } from '../record/api-tokens.ts';
import { agentEffects } from './agent-effects.ts';
import { askTracker } from './ask-tracker.ts';
import { inspectFolder, isPresent, isRepository, realPath } from './files.ts';
import { gitSignsIn } from './git-sign-in.ts';
import { ROOT, runProgram } from './run-program.ts';
import { readScopeHolder } from './scope-holder.ts';
import { tryPort } from './try-port.ts';

type World = Pick<CliIo, 'environment' | 'cwd'>;

/** The world as the worker of this workflow would find it. Null: the workflow does not load. */
export function doctorEffects(config: Config | null, io: World): Effects {
  const { environment, cwd } = io;
  const needed = (): Config => {
    if (config === null) throw new Error('this check needs a workflow that loads');
    return config;
  };
  return {
    ...trackerEffects(needed),
    ...repositoryEffects(config, environment),
    ...agentEffects(needed, io),
    nodeVersion: process.versions.node,
    folder: inspectFolder,
    stateFolder: () => stateFolderOf(needed().workflowPath, environment),
    whyNotPrivate,
    probeCgroups,
    earlierRoot: () => findEarlierRoot(needed(), environment),
    requireFreeSpace: assertFreeSpace,
    readJournal,
    keptRescues: (root) => readKeptRescues(root),
    foreignPushes: (root) => readForeignPushes(root, systemClock.now()),
    tryPort,
    findWorker: () => findWorker(needed()),
    findScopeHolder: () => readScopeHolder(needed(), environment),
    async tokenLengths() {
      const { full, readOnly } = await readApiTokens(environment, cwd);
      return { full: full?.length ?? null, readOnly: readOnly?.length ?? null };
    },
    isLoopback: (host) => host.toLowerCase() === 'localhost' || isLoopbackAddress(host),
    realPath,
  };
}

function trackerEffects(needed: () => Config) {
  return {
    askTracker: (states, signal) => askTracker(needed(), states, signal),
    async readLabels(signal) {
      const setup = await openLabelSetup(needed().tracker, { logger: silentLogger });
      const existing = await setup.list(signal);
      return { missing: labelsMissing(setup, existing).map(({ name }) => name), existing };
    },
    stateLabels() {
      const { tracker } = needed();
      const labels = trackerKind(tracker.kind)?.stateLabels?.(tracker);
      return labels === undefined ? null : { labels };
    },
    workflowStates: (signal) => readStates(needed().tracker, signal),
  } satisfies Partial<Effects>;
}

function repositoryEffects(config: Config | null, environment: CliIo['environment']) {
  const signedIn = (): Git => createGit(environment, gitCredentialOf(config?.repo ?? null));
  return {
    gitVersion: () => runProgram('git', ['--version'], gitEnvironment(environment)),
    isRepository,
    async remoteBranches(cloneUrl, signal) {
      const action = `asking ${repositoryIdentity(cloneUrl)} for its branches`;
      const call = { cwd: ROOT, action, signal, network: true };
      const listing = await signedIn().run(['ls-remote', '--heads', '--', cloneUrl], call);
      return listing.split('\n').flatMap((line) => line.split('\trefs/heads/')[1] ?? []);
    },
    gitSignsIn: (cloneUrl) => gitSignsIn(cloneUrl, environment, ROOT),
    tryPush: (cloneUrl, signal) => tryPush(signedIn(), cloneUrl, `aiops/doctor-${process.pid}`, signal),
  } satisfies Partial<Effects>;
}

async function findWorker(config: Config): Promise<{ pid: number; host: string } | null> {
  const scope = trackerScopeOf(config.tracker);
  const found = await readHolder(workerLockPath({ root: config.workspace.root, scope }));
  if (found === null || !(await isHolderAlive(found))) return null;
  return { pid: found.holder.pid, host: found.holder.host };
}

const readJournal: Effects['readJournal'] = async (root) => {
  if (!(await isPresent(journalPathOf(root)))) return null;
  const journal = await openRootReader(root);
  try {
    const recentRuns = journal.recentRuns(1).length;
    return { recentRuns, problem: journal.status.problem };
  } finally {
    await journal.close();
  }
};
