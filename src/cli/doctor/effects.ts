import { dirname, parse } from 'node:path';
import type { Config } from '../../config/config.ts';
import { trackerScopeOf } from '../../config/roots/shared-roots.ts';
import { stateFolderOf } from '../../config/roots/state-folder.ts';
import type { Effects } from '../../doctor/effects.ts';
import type { ReachableAgent } from '../../doctor/reachable-agents.ts';
import { systemClock } from '../../domain/clock.ts';
import { silentLogger } from '../../observability/logger.ts';
import { probeCgroups } from '../../process/cgroup/run-cgroup.ts';
import type { CommandOptions, CommandResult } from '../../process/children/child.ts';
import { runCommand } from '../../process/children/run-command.ts';
import { isHolderAlive, readHolder } from '../../process/locks/lock-holder.ts';
import { whyNotPrivate } from '../../process/private-folder.ts';
import { findBundledClaude, INSTALL_AGENT_SDK } from '../../runners/claude/find-sdk.ts';
import { readCodexVersion } from '../../runners/codex/version.ts';
import type { AgentEnvironment } from '../../runners/inspection.ts';
import { findProgram } from '../../runners/sandbox/plan.ts';
import { programOf } from '../../runners/start/program.ts';
import { isLoopbackAddress } from '../../server/access/loopback.ts';
import { journalPathOf } from '../../store/journal-path.ts';
import { workerLockPath } from '../../store/locks/worker-lock.ts';
import { openRootReader } from '../../store/sqlite/journal-reader.ts';
import { labelsMissing } from '../../trackers/forge/states/label-setup.ts';
import { openLabelSetup, readStates, trackerKind } from '../../trackers/registry.ts';
import { assertFreeSpace } from '../../workspaces/checkout/disk-space.ts';
import { readForeignPushes } from '../../workspaces/foreign-pushes/seen-branch.ts';
import { gitCredentialOf } from '../../workspaces/git/credential.ts';
import { gitEnvironment } from '../../workspaces/git/environment.ts';
import { createGit } from '../../workspaces/git/git.ts';
import { repositoryIdentity } from '../../workspaces/git/repository-url.ts';
import { tryPush } from '../../workspaces/push/try-push.ts';
import { readKeptRescues } from '../../workspaces/rescue/over-limit.ts';
import { ChildEnvironments } from '../compose/child-environments.ts';
import { findEarlierRoot } from '../compose/earlier-root.ts';
import type { CliIo } from '../io.ts';
import { readApiTokens } from '../record/api-tokens.ts';
import { askTracker } from './ask-tracker.ts';
import { readCodexSettings } from './codex-settings.ts';
import { inspectFolder, isPresent, isRepository, packageVersionOf, realPath } from './files.ts';
import { gitSignsIn } from './git-sign-in.ts';
import { readScopeHolder } from './scope-holder.ts';
import { tryAgent } from './try-agent.ts';
import { tryPort } from './try-port.ts';
import { trySandbox } from './try-sandbox.ts';

const PROGRAM_MS = 10_000;

/** No folder of a repository, whose settings git would follow. */
const ROOT = parse(process.execPath).root;

/** The world as the worker of this workflow would find it. Null: the workflow does not load. */
export function doctorEffects(config: Config | null, io: Pick<CliIo, 'environment' | 'cwd'>): Effects {
  const { environment, cwd } = io;
  const needed = (): Config => {
    if (config === null) throw new Error('this check needs a workflow that loads');
    return config;
  };
  const agentEnvironment = createAgentEnvironments(io);
  return {
    nodeVersion: process.versions.node,
    gitVersion: () => run({ command: 'git', args: ['--version'], env: gitEnvironment(environment) }),
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
    realPath,
    isRepository,
    async remoteBranches(cloneUrl, signal) {
      const action = `asking ${repositoryIdentity(cloneUrl)} for its branches`;
      const call = { cwd: ROOT, action, signal, network: true };
      const git = createGit(environment, gitCredentialOf(config?.repo ?? null));
      const listing = await git.run(['ls-remote', '--heads', '--', cloneUrl], call);
      return listing.split('\n').flatMap((line) => line.split('\trefs/heads/')[1] ?? []);
    },
    gitSignsIn: (cloneUrl) => gitSignsIn(cloneUrl, environment, ROOT),
    tryPush: (cloneUrl, signal) =>
      tryPush(
        createGit(environment, gitCredentialOf(config?.repo ?? null)),
        cloneUrl,
        `aiops/doctor-${process.pid}`,
        signal,
      ),
    codexSettings: readCodexSettings,
    tryAgent,
    agentEnvironment,
    programOf(command) {
      const program = programOf(command, []).command;
      return program === 'bash' && !/^\s*bash\b/.test(command) ? null : program;
    },
    findProgram: (program, env) => findProgram(program, env['PATH'] ?? '').catch(() => null),
    runProgram: (command, args, env) => run({ command, args, env }),
    codexVersion: (command, env) => readCodexVersion(command, env, ROOT),
    findClaudeSdk() {
      const program = findBundledClaude([dirname(needed().workflowPath), cwd]);
      return { version: program === null ? null : packageVersionOf(program), install: INSTALL_AGENT_SDK };
    },
    trySandbox: (env, signal) => trySandbox(needed(), env, signal),
  };
}

function run(options: Pick<CommandOptions, 'command' | 'args' | 'env'>): Promise<CommandResult> {
  return runCommand({ ...options, cwd: ROOT, timeoutMs: PROGRAM_MS });
}

/** The login shell is asked once, whatever the number of agents. */
function createAgentEnvironments({ environment }: Pick<CliIo, 'environment'>): Effects['agentEnvironment'] {
  const children = new ChildEnvironments(environment, silentLogger);
  let learned: Promise<void> | null = null;
  return async ({ config }: ReachableAgent): Promise<AgentEnvironment> => {
    // The folder above the root may not exist yet; a login shell only needs some folder to start in.
    learned ??= children.learn({ ...config, workspace: { ...config.workspace, root: config.workflowPath } });
    await learned;
    return children.forLooking(config);
  };
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
