import { expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from '../read/evaluate.ts';

function evaluate(more: string): Evaluation {
  const source = `---\ntracker: {kind: local}\nrepo: {clone_url: "https://git.example/a/b.git"}\n${more}\n---\nDo it.`;
  return evaluateWorkflow(source, { file: '/flows/WORKFLOW.md', environment: { HOME: '/home/me' } });
}

const SANDBOX =
  'sandbox: {enabled: true, backend: bubblewrap, env_allowlist: [PATH], credential_files: [~/.codex/auth.json]}';

it('puts hooks into a sandbox only where there is one', () => {
  expect(evaluate('hooks: {sandbox: true}').problems.map(({ key }) => key)).toEqual(['hooks.sandbox']);
  const both = evaluate(`hooks: {sandbox: true}\n${SANDBOX}`);
  expect(both.problems).toEqual([]);
  expect(both.config.hooks.sandbox).toBe(true);
});
