import type { Config } from '../config/config.ts';
import { skip } from '../domain/verdict.ts';
import { agentKind } from '../runners/registry.ts';
import { trackerKind } from '../trackers/registry.ts';
import type { Check } from './check.ts';
import type { Effects } from './effects.ts';
import { handshakeCheck } from './rules/agent/handshake.ts';
import { mockBySurprise } from './rules/agent/mock-by-surprise.ts';
import { agentCheck } from './rules/agent/program.ts';
import { type ReachableAgent, reachableAgents } from './rules/agent/reachable-agents.ts';
import { sandboxCheck } from './rules/agent/sandbox.ts';
import { signInCheck } from './rules/agent/sign-in.ts';
import { verifyCommands } from './rules/agent/verify-commands.ts';
import { opensFolders, writableFolders } from './rules/agent/writable-folders.ts';
import { keptRescues } from './rules/machine/kept-rescues.ts';
import { exposureCheck, portCheck } from './rules/machine/listener.ts';
import { gitCheck, nodeCheck } from './rules/machine/programs.ts';
import { journalCheck, mirrorCheck, rootCheck, stateCheck } from './rules/machine/storage.ts';
import { strayProcesses } from './rules/machine/stray-processes.ts';
import { agentPush } from './rules/repository/agent-push.ts';
import { clonePath } from './rules/repository/clone-path.ts';
import { foreignPushes } from './rules/repository/foreign-pushes.ts';
import { pushCheck } from './rules/repository/push.ts';
import { repositoryCheck } from './rules/repository/repository.ts';
import { labelStates } from './rules/tracker/label-states.ts';
import { scopeLease } from './rules/tracker/scope-lease.ts';
import { credentialCheck, labelsCheck, trackerCheck } from './rules/tracker/tracker.ts';
import { trackerStates } from './rules/tracker/tracker-states.ts';
import { variableInside } from './rules/workflow/variable-inside.ts';
import { type CheckedWorkflow, workflowCheck } from './rules/workflow/workflow.ts';

export interface Subject {
  readonly workflow: CheckedWorkflow;
  /** What the repository is called without credentials; null without one. */
  readonly repositoryIdentity: string | null;
  /** Where the repository is when it is on this machine, else null. */
  readonly repositoryPath: string | null;
  readonly offline: boolean;
}

/**
 * The one list of rules, in the order of the report. `aiops doctor` goes through all that apply to the workflow,
 * `aiops config check` through those of `rulesOfFile`, and a worker that starts through those that are not the doctor's own.
 */
export function listChecks(subject: Subject, effects: Effects): readonly Check[] {
  const { workflow } = subject;
  const { config } = workflow;
  const basics = [nodeCheck(effects), gitCheck(config, effects), workflowCheck(workflow)];
  return config === null ? [...basics, NOTHING_MORE] : [...basics, ...checksOf(config, subject, effects)];
}

/** The rules that need nothing but the settings, and files that these name. A file that does not load is judged by what loads of it. */
export function rulesOfFile(config: Config, subject: Subject, effects: Effects): readonly Check[] {
  const asked = ({ needs, doctorOnly }: Check): boolean =>
    doctorOnly !== true && (needs === 'config' || needs === 'files');
  return checksOf(config, subject, effects).filter(asked);
}

const NOTHING_MORE: Check = {
  id: 'rest',
  title: 'Everything else',
  needs: 'machine',
  run: async () => skip('cannot be checked before the workflow loads'),
};

function checksOf(config: Config, subject: Subject, effects: Effects): readonly Check[] {
  const { repositoryIdentity: identity, repositoryPath, offline, workflow } = subject;
  const { provenance, texts } = workflow;
  const { repo, tracker, sandbox } = config;
  const agents = reachableAgents(config);
  const isElsewhere = config.worker.sshHosts.length > 0;
  const sandboxed = sandbox.enabled ? agents.slice(0, 1) : [];
  const states = trackerKind(tracker.kind)?.states;
  return [
    variableInside(texts),
    mockBySurprise(config, provenance),
    stateCheck(effects),
    rootCheck(config, effects),
    ...(repo === null ? [] : [mirrorCheck(config, effects)]),
    journalCheck(config, effects),
    keptRescues(config.workspace.root, effects),
    scopeLease(config, effects),
    ...(repo === null ? [] : [foreignPushes(config.workspace.root, effects)]),
    credentialCheck(config),
    trackerCheck(config, offline, effects),
    ...(states === 'labels'
      ? [labelStates(config, provenance, effects.stateLabels), labelsCheck(offline, effects)]
      : []),
    ...(states === 'named' ? [trackerStates(config, offline, effects)] : []),
    ...(opensFolders(config) ? [writableFolders(config, repositoryPath, effects)] : []),
    ...(repo === null || repositoryPath === null ? [] : [clonePath(repo, repositoryPath, effects)]),
    ...(repo === null || identity === null ? [] : [repositoryCheck(repo, { identity, offline }, effects)]),
    ...(repo === null ? [] : [agentPush(repo, { agents, remote: repositoryPath === null }, effects)]),
    ...(repo === null || identity === null ? [] : [pushCheck(repo, { identity, offline }, effects)]),
    ...(config.verify.commands.length === 0 ? [] : [verifyCommands(config, agents, effects)]),
    ...agents.flatMap((agent, index) => agentChecks(agent, index > 0 || isElsewhere, effects)),
    ...sandboxed.map((agent) => sandboxCheck(config, agent, effects)),
    strayProcesses(config, effects),
    portCheck(config, effects),
    exposureCheck(config, effects),
  ];
}

/** `optional`: other agents run all the same without this one, or it runs on another machine. */
function agentChecks(agent: ReachableAgent, optional: boolean, effects: Effects): readonly Check[] {
  const program: Check = { ...agentCheck(agent, effects), optional };
  const { builtIn, signsIn } = agentKind(agent.kind);
  if (builtIn === true) return [program];
  return [
    program,
    ...(signsIn === true ? [signInCheck(agent, effects)] : []),
    handshakeCheck(agent, effects),
  ];
}
