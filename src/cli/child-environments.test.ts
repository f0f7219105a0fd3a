import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../config/evaluate.ts';
import { silentLogger } from '../observability/logger.ts';
import { ChildEnvironments } from './child-environments.ts';

const ENVIRONMENT = { CODEX_BIN: '/opt/codex', OTHER: 'x', LINEAR_API_KEY: 'lin_dummy_not_a_key_01' };

describe('what an agent starts with', () => {
  it.each([
    ['codex-app-server', 'codex'],
    ['claude', 'claude'],
    ['acp', 'acp'],
  ])('%s gets the variables its command names, never a credential', (kind, block) => {
    const workflow = [
      '---',
      'tracker: {kind: local}',
      `agent: {default: ${kind}}`,
      `${block}: {command: '$CODEX_BIN run "\${OTHER:-y}" $LINEAR_API_KEY'}`,
      '---',
      'Go.',
    ].join('\n');
    const { config } = evaluateWorkflow(workflow, { file: '/flows/WORKFLOW.md', environment: {} });
    const children = new ChildEnvironments(ENVIRONMENT, silentLogger);
    expect(children.forLooking(config)).toEqual({ CODEX_BIN: '/opt/codex', OTHER: 'x' });
  });
});
