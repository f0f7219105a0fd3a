/** What the demo's worker is given to do, and how each issue should end. */
export interface DemoIssue {
  readonly id: string;
  readonly title: string;
  readonly priority: number;
  readonly blockedBy: readonly string[];
  readonly body: string;
  /** What this issue is there to show, for the summary. */
  readonly shows: string;
  readonly ends: DemoEnd;
}

export type DemoEnd =
  /** Handed over for review with at least `commits` commits pushed. */
  | { readonly kind: 'handed_over'; readonly state: string; readonly commits: number }
  /** Approved by the demo's reviewer: merged, Done, workspace removed. */
  | { readonly kind: 'approved'; readonly commits: number }
  /** Held by this budget, the issue still active. */
  | { readonly kind: 'blocked'; readonly method: string };

const REVIEW = 'Human Review';

function script(lines: readonly string[]): string {
  return ['```mock', ...lines, '```'].join('\n');
}

export const DEMO_ISSUES: readonly DemoIssue[] = [
  {
    id: 'DEMO-1',
    title: 'Greet people by name',
    priority: 1,
    blockedBy: [],
    body: `The greeter says "hello" to everybody. Take a name and use it.\n\n${script(['step_ms: 250'])}`,
    shows: 'the happy path, then approval',
    ends: { kind: 'approved', commits: 1 },
  },
  {
    id: 'DEMO-2',
    title: 'Greet in several languages',
    priority: 1,
    blockedBy: ['DEMO-1'],
    body: `Builds on the named greeting, so it waits for DEMO-1.\n\n${script(['step_ms: 200'])}`,
    shows: 'waits for its blocker',
    ends: { kind: 'handed_over', state: REVIEW, commits: 1 },
  },
  {
    id: 'DEMO-3',
    title: 'Rewrite the greeter in small steps',
    priority: 2,
    blockedBy: [],
    body: `One step a turn.\n\n${script(['behaviour: turns', 'turns: 3', 'step_ms: 200'])}`,
    shows: 'several turns in one session',
    ends: { kind: 'handed_over', state: REVIEW, commits: 3 },
  },
  {
    id: 'DEMO-4',
    title: 'Fix the flaky farewell',
    priority: 2,
    blockedBy: [],
    body: `The first try fails; the retry succeeds.\n\n${script(['behaviour: fail', 'times: 1', 'step_ms: 150'])}`,
    shows: 'fails once, backs off, recovers',
    ends: { kind: 'handed_over', state: REVIEW, commits: 1 },
  },
  {
    id: 'DEMO-5',
    title: 'Make the greeter perfect',
    priority: 3,
    blockedBy: [],
    body: `Can never be finished; the turn budget ends it.\n\n${script(['behaviour: never_finish', 'commits: true', 'step_ms: 60'])}`,
    shows: 'stopped by its turn budget',
    ends: { kind: 'blocked', method: 'continuation_budget' },
  },
  {
    id: 'DEMO-6',
    title: 'Document the greeter',
    priority: 4,
    blockedBy: [],
    body: `Describe how to use it.\n\n${script(['step_ms: 150'])}`,
    shows: 'waits for a free slot',
    ends: { kind: 'handed_over', state: REVIEW, commits: 1 },
  },
];

export const DEMO_BRANCH = 'main';

export function demoWorkflow(remote: string): string {
  return `---
# The workflow of the demo: a local tracker, a local remote, the mock agent.
tracker:
  kind: local
  path: issues
repo:
  clone_url: ${JSON.stringify(remote)}
  default_branch: ${DEMO_BRANCH}
workspace:
  root: workspaces
  mirror_root: mirrors
agent:
  default: mock
  max_concurrent_agents: 3
  max_turns: 3
  max_continuation_turns: 6
polling:
  interval_ms: 5000
---
You are working on {{ issue.identifier }}: {{ issue.title }}

{{ issue.description }}

Commit on the current branch, push it, then move the issue to ${REVIEW}.
`;
}

/** The project the agents work on. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'README.md': '# greeter\n\nSays hello. Run it with `node greeter.mjs`.\n',
  'greeter.mjs': "export function greet() {\n  return 'hello\\n';\n}\n\nprocess.stdout.write(greet());\n",
  'package.json': '{\n  "name": "greeter",\n  "private": true,\n  "type": "module"\n}\n',
};
