import { describe, expect, it } from 'vitest';
import { type Evaluation, evaluateWorkflow } from './evaluate.ts';

const FILE = '/flows/WORKFLOW.md';

function evaluate(source: string, environment: Record<string, string> = {}): Evaluation {
  return evaluateWorkflow(source, { file: FILE, environment: { HOME: '/home/me', TMPDIR: '/tmp', ...environment } });
}

/** Front matter that loads, plus more. */
function local(more = '', body = ''): Evaluation {
  return evaluate(`---\ntracker:\n  kind: local\n${more}\n---\n${body}`);
}

describe('evaluateWorkflow', () => {
  it('fills in every default of the Go dialect', () => {
    const { config, problems, warnings } = local('repo:\n  clone_url: https://git.example/acme/door.git', '\n Hi \n');
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      workflowPath: FILE,
      dialect: 'go',
      promptTemplate: 'Hi',
      repo: {
        owner: 'acme',
        name: 'door',
        cloneUrl: 'https://git.example/acme/door.git',
        defaultBranch: 'main',
      },
      polling: { intervalMs: 30_000 },
      agent: { default: 'mock', maxTurns: 20, maxContinuationTurns: 20, timeoutMs: 1_800_000, noProgressRuns: 3 },
      server: { host: '127.0.0.1', port: 4000 },
    });
    expect(config.tracker.provider).toEqual({ path: '/flows/issues', issue_prefix: 'TASK' });
  });
});
