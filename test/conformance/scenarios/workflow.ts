import type { Config } from '../../../src/config/config.ts';
import type { Evaluation } from '../../../src/config/read/evaluate.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';

export const WORKFLOW_FILE = '/flows/team/WORKFLOW.md';

/** What the worker makes of a workflow text, as if it lay in `/flows/team`, in an environment with these variables. */
export function evaluate(text: string, environment: Readonly<Record<string, string>> = {}): Evaluation {
  return evaluateWorkflow(text, {
    file: WORKFLOW_FILE,
    environment: { HOME: '/home/me', TMPDIR: '/tmp', ...environment },
  });
}

/** A workflow of the Symphony dialect with more front matter; it loads, or the test fails. */
export function configOf(
  frontMatter = '',
  body = 'Do it.',
  environment: Readonly<Record<string, string>> = {},
): Config {
  const tracker = /^tracker:/m.test(frontMatter) ? '' : 'tracker: {kind: local}\n';
  const { config, problems } = evaluate(`---\n${tracker}${frontMatter}\n---\n${body}`, environment);
  if (problems.length > 0)
    throw new Error(problems.map(({ key, message }) => `${key}: ${message}`).join('\n'));
  return config;
}
