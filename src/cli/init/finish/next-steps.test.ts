import { expect, test } from 'vitest';
import { NO_FACTS, planTracker } from '../../../../test/integration/init/plan-fixture.ts';
import type { Plan } from '../decide/plan.ts';
import type { Facts } from '../detect/facts.ts';
import { describeNextSteps, type Outcome } from './next-steps.ts';
import { describeNotes, describePlan } from './summary.ts';

const FACTS: Facts = {
  ...NO_FACTS,
  agents: [{ id: 'codex', program: '/bin/codex', signedIn: true }],
  variables: ['GITHUB_TOKEN'],
};
const PLAN: Plan = {
  tracker: await planTracker('github', { project: 'octo/app' }),
  cloneUrl: 'https://github.com/octo/app.git',
  defaultBranch: 'main',
  codeForge: null,
  repoTokenVariable: null,
  agent: 'codex',
  passedVariables: [],
  verify: ['npm test'],
  setUp: null,
  schema: 'x',
};
const OUTCOME: Outcome = {
  plan: PLAN,
  facts: FACTS,
  workflowArgument: '',
  lacksLabels: false,
  hasIssue: false,
  checksFailed: false,
};
const LOCAL: Plan = { ...PLAN, tracker: await planTracker('local') };

/** The commands alone, without what explains them. */
function steps(part: Partial<Outcome>): readonly string[] {
  const [first, ...rest] = describeNextSteps({ ...OUTCOME, ...part })
    .trimEnd()
    .split('\n');
  expect(first).toBe('Next:');
  return rest.filter((line) => !line.startsWith('      ')).map((line) => line.trim());
}

const WORKER = 'aiops worker';
const LABEL = '(put the label aiops/todo on an issue)';

test.each<[string, Partial<Outcome>, readonly string[]]>([
  ['everything is there', {}, [LABEL, WORKER]],
  ['a check failed', { checksFailed: true }, ['aiops doctor', LABEL, WORKER]],
  ['labels are missing', { lacksLabels: true }, ['aiops labels sync', LABEL, WORKER]],
  ['the token is missing', { facts: { ...FACTS, variables: [] } }, ['export GITHUB_TOKEN=…', LABEL, WORKER]],
  [
    'gh has the token',
    { facts: { ...FACTS, variables: [], lender: 'github' } },
    ['export GITHUB_TOKEN="$(gh auth token)"', LABEL, WORKER],
  ],
  [
    'the agent is not signed in',
    { facts: { ...FACTS, agents: [{ id: 'codex', program: '/bin/codex', signedIn: false }] } },
    ['codex login', LABEL, WORKER],
  ],
  ['there is an issue', { plan: LOCAL, hasIssue: true }, [WORKER]],
  ['there is none', { plan: LOCAL }, ['aiops issue new "What shall be done"', WORKER]],
  [
    'the file is elsewhere',
    { plan: LOCAL, workflowArgument: 'team/WORKFLOW.md', checksFailed: true },
    [
      'aiops doctor team/WORKFLOW.md',
      'aiops issue new "What shall be done" --workflow team/WORKFLOW.md',
      'aiops worker team/WORKFLOW.md',
    ],
  ],
])('the next steps when %s', (_name, part, expected) => expect(steps(part)).toEqual(expected));

test('the summary says which tokens are missing, and the notes what was left out', () => {
  expect(describePlan(PLAN, FACTS)).toContain('$GITHUB_TOKEN, set');
  expect(describePlan(PLAN, { ...FACTS, variables: [] })).toContain('$GITHUB_TOKEN, not set here');
  const repository = {
    cloneUrl: '.',
    folder: '/p',
    hadCredentials: true,
    defaultBranch: null,
    hasCommits: true,
  };
  expect(describeNotes(LOCAL, { ...FACTS, repository }, true)).toMatch(
    /password.*left out[\s\S]*\.gitignore/,
  );
  expect(describeNotes(PLAN, FACTS, true)).toBe('');
});
