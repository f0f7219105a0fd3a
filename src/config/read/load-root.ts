import { type EvaluateOptions, evaluateWorkflow } from './evaluate.ts';
import { problemsToError } from './problem.ts';
import { readWorkflow } from './read-workflow.ts';

/**
 * The workspace root that a workflow names, for what only reads there: a credential that is not set here, or any other
 * fault outside of the `workspace` block, is nobody's business. Throws what is wrong with the rest.
 */
export async function loadWorkspaceRoot(options: EvaluateOptions): Promise<string> {
  const { file } = options;
  const content = await readWorkflow(file);
  if (!content.ok) throw problemsToError([{ ...content.problem, file, line: null, key: null }]);
  const { config, problems } = evaluateWorkflow(content.text, options);
  const inTheWay = problems.filter(({ key }) => key === null || key.split('.')[0] === 'workspace');
  if (inTheWay.length > 0) throw problemsToError(inTheWay);
  return config.workspace.root;
}
