import type { Config } from '../config/config.ts';
import { agentCheck } from './agents.ts';
import { type Check, skip } from './check.ts';
import type { Effects } from './effects.ts';
import { gitCheck, nodeCheck } from './machine.ts';
import { reachableAgents } from './reachable-agents.ts';
import { repositoryCheck } from './repository.ts';
import { sandboxCheck } from './sandbox.ts';
import { journalCheck, mirrorCheck, rootCheck, stateCheck } from './storage.ts';
import { exposureCheck, portCheck } from './surface.ts';
import { credentialCheck, labelsCheck, trackerCheck } from './tracker.ts';
import { type CheckedWorkflow, workflowCheck } from './workflow.ts';

export interface Subject {
  readonly workflow: CheckedWorkflow;
  /** What the repository is called without credentials; null without one. */
  readonly repositoryIdentity: string | null;
  readonly offline: boolean;
}

/** Every check that applies to the workflow, in the order of the report. */
export function listChecks(subject: Subject, effects: Effects): readonly Check[] {
  const { workflow } = subject;
  const { config } = workflow;
  const basics = [nodeCheck(effects), gitCheck(config, effects), workflowCheck(workflow)];
  return config === null ? [...basics, NOTHING_MORE] : [...basics, ...checksOf(config, subject, effects)];
}

const NOTHING_MORE: Check = {
  id: 'rest',
  title: 'Everything else',
  run: async () => skip('cannot be checked before the workflow loads'),
};

function checksOf(config: Config, subject: Subject, effects: Effects): readonly Check[] {
  const { repositoryIdentity: identity, offline } = subject;
  const { repo, tracker, sandbox } = config;
  const agents = reachableAgents(config);
  const sandboxed = sandbox.enabled ? agents.slice(0, 1) : [];
  const hasLabels = tracker.kind === 'github' || tracker.kind === 'gitea';
  return [
    stateCheck(effects),
    rootCheck(config, effects),
    ...(repo === null ? [] : [mirrorCheck(config, effects)]),
    journalCheck(config, effects),
    credentialCheck(config),
    trackerCheck(config, offline, effects),
    ...(hasLabels ? [labelsCheck(offline, effects)] : []),
    ...(repo === null || identity === null ? [] : [repositoryCheck(repo, { identity, offline }, effects)]),
    ...agents.map((agent) => agentCheck(agent, effects)),
    ...sandboxed.map((agent) => sandboxCheck(config, agent, effects)),
    portCheck(config, effects),
    exposureCheck(config, effects),
  ];
}
