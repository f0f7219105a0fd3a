import {
  type EvaluateOptions,
  type Evaluation,
  evaluateWorkflow as evaluate,
} from '../config/read/evaluate.ts';
import { type LoadOptions, type LoadResult, loadWorkflow as load } from '../config/read/load.ts';
import { loadWorkspaceRoot as loadRoot } from '../config/read/load-root.ts';
import { workflowFormat } from '../config/schema/workflow.ts';
import { FORGE_SETTINGS } from '../forges/registry.ts';
import { AGENT_KINDS } from '../runners/registry.ts';
import { TRACKER_SETTINGS } from '../trackers/registry.ts';

/** The reading of workflow files with every agent, tracker and forge this program has. */

/** Every key a workflow file may have. */
export const WORKFLOW_FORMAT = workflowFormat({
  agents: AGENT_KINDS,
  trackers: TRACKER_SETTINGS,
  forges: FORGE_SETTINGS,
});

export function evaluateWorkflow(source: string, options: Omit<EvaluateOptions, 'format'>): Evaluation {
  return evaluate(source, { ...options, format: WORKFLOW_FORMAT });
}

export function loadWorkflow(options: Omit<LoadOptions, 'format'>): Promise<LoadResult> {
  return load({ ...options, format: WORKFLOW_FORMAT });
}

export function loadWorkspaceRoot(options: Omit<EvaluateOptions, 'format'>): Promise<string> {
  return loadRoot({ ...options, format: WORKFLOW_FORMAT });
}
