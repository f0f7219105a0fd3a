import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { RunDetail, RunDiff, TimelineEntry } from '../../../src/contract/runs.ts';

type Told = readonly [kind: string, message: string, detail?: Record<string, unknown>];

const TESTS = [
  '> shop@1.4.0 test',
  '> vitest run',
  '',
  ' ✓ src/duration.test.ts (41 tests) 18ms',
  ' ✗ src/parse.test.ts > reads 1h30m',
  '   AssertionError: expected 3600 to be 5400',
  '',
  ' Tests  1 failed | 41 passed (42)',
].join('\n');

const PROMPT = `You are working on DEMO-5.

Title: Accept 1h30m as a timeout

People write \`timeout: 1h30m\` and get an error. Accept hours, minutes and seconds in this order, each at most once.

Work on the branch that is checked out. Run the tests before you hand over.`;

const TOLD: readonly Told[] = [
  ['phase', 'PreparingWorkspace', { phase: 'PreparingWorkspace' }],
  [
    'workspace',
    'workspace created on ai/DEMO-5',
    { path: '/srv/workspaces/DEMO-5', branch: 'ai/DEMO-5', created_now: true },
  ],
  [
    'hook',
    'after_create succeeded',
    {
      hook: 'after_create',
      command: 'npm ci',
      exit_code: 0,
      duration_ms: 8400,
      output: 'added 212 packages in 8s',
      failed: false,
    },
  ],
  ['phase', 'StreamingTurn: turn 1 of 6', { phase: 'StreamingTurn' }],
  ['prompt', PROMPT, { turn: 1 }],
  ['session_started', 'session 4f0c started', { session_id: '4f0c', model: 'gpt-5' }],
  ['turn_started', 'turn 1 started', { turn: 1 }],
  [
    'activity',
    'I will look at how durations are read today, then add a failing test for `1h30m`.',
    { activity: 'message' },
  ],
  ['activity', 'rg -n "parseDuration" src', { activity: 'command', call_id: 'c1' }],
  [
    'activity',
    'rg -n "parseDuration" src (exit 0, 0.1 s)',
    {
      activity: 'command',
      call_id: 'c1',
      exit_code: 0,
      duration_ms: 90,
      output:
        'src/duration.ts:4:export function parseDuration(text: string): number {\nsrc/config.ts:18:  timeout: parseDuration(raw.timeout),',
    },
  ],
  ['activity', '[x] read the parser\n[>] add a failing test\n[ ] accept several units', { activity: 'plan' }],
  ['activity', 'changed src/duration.ts, src/duration.test.ts', { activity: 'file_change' }],
  ['activity', 'npm test', { activity: 'command', call_id: 'c2' }],
  [
    'activity',
    'npm test (exit 1, 3.2 s)',
    { activity: 'command', call_id: 'c2', exit_code: 1, duration_ms: 3210, output: TESTS, failed: true },
  ],
  ['usage', '18400 tokens so far', { total_tokens: 18_400 }],
  [
    'turn_completed',
    'turn 1 completed',
    { turn: 1, usage: { input_tokens: 15_200, output_tokens: 3_200, total_tokens: 18_400 }, cost_usd: 0.19 },
  ],
  ['turn_started', 'turn 2 started', { turn: 2 }],
  [
    'activity',
    'The hours are dropped because the pattern stops at the first unit. Reading units in a loop.',
    { activity: 'reasoning' },
  ],
  ['activity', 'npm test', { activity: 'command', call_id: 'c3' }],
  [
    'activity',
    'npm test (exit 0, 3.0 s)',
    { activity: 'command', call_id: 'c3', exit_code: 0, duration_ms: 2990, output: ' Tests  42 passed (42)' },
  ],
  [
    'tool_call',
    'branch_push succeeded: {}',
    { tool: 'branch_push', success: true, input: '{}', output: '{"pushed":"ai/DEMO-5"}' },
  ],
  [
    'tool_call',
    'issue_move succeeded: {}',
    {
      tool: 'issue_move',
      success: true,
      input: '{"state":"Human Review"}',
      output: '{"state":"Human Review"}',
    },
  ],
  [
    'turn_completed',
    'turn 2 completed',
    { turn: 2, usage: { input_tokens: 21_000, output_tokens: 2_400, total_tokens: 23_400 }, cost_usd: 0.24 },
  ],
  ['phase', 'Finishing', { phase: 'Finishing' }],
];

export function sampleEntries(startedAt: number, told: readonly Told[] = TOLD): TimelineEntry[] {
  return told.map(([kind, message, detail = {}], index) => ({
    seq: index + 1,
    at: new Date(startedAt + index * 6_500).toISOString(),
    kind,
    message,
    detail,
  }));
}

/** A finished run as the worker tells it. */
export function sampleDetail(ended: EndedRun): RunDetail {
  return {
    run_id: ended.run_id,
    issue_identifier: ended.issue_identifier,
    status: 'ended',
    running: null,
    ended,
    facts: {
      attempt: 1,
      started_at: new Date(Date.parse(ended.ended_at) - ended.runtime_seconds * 1000).toISOString(),
      state_before: 'In Progress',
      handed_off: true,
      end: 'completed',
      session_id: '4f0c',
      model: 'gpt-5',
      workspace_path: '/srv/workspaces/DEMO-5',
      head_commit: '9f31c02ab7d94e1f8a60b2c3d4e5f60718293a4b',
      files_changed: 3,
      uncommitted_files: 0,
    },
    timeline: { reported: TOLD.length, dropped: 0, bytes: 9_000 },
  };
}

const PATCH = `diff --git a/src/duration.ts b/src/duration.ts
index 1c2d3e4..5f60718 100644
--- a/src/duration.ts
+++ b/src/duration.ts
@@ -1,8 +1,9 @@
-/** Seconds of a text such as \`90s\`. */
+/** Seconds of a text such as \`90s\` or \`1h30m\`. */
 export function parseDuration(text: string): number {
-  const match = /^(\\d+)(h|m|s)$/.exec(text);
-  if (match === null) throw new Error('not a duration: ' + text);
-  return Number(match[1]) * SECONDS[match[2]];
+  const match = /^(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?$/.exec(text);
+  if (match === null || text === '') throw new Error('not a duration: ' + text);
+  const [, hours = 0, minutes = 0, seconds = 0] = match;
+  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
 }
 
 const SECONDS = { h: 3600, m: 60, s: 1 };
diff --git a/src/duration.test.ts b/src/duration.test.ts
index 2b3c4d5..6a7b8c9 100644
--- a/src/duration.test.ts
+++ b/src/duration.test.ts
@@ -12,3 +12,7 @@ describe('parseDuration', () => {
   it('reads seconds', () => {
     expect(parseDuration('90s')).toBe(90);
   });
+
+  it('reads several units', () => {
+    expect(parseDuration('1h30m')).toBe(5400);
+  });
diff --git a/docs/config.md b/docs/config.md
index 3c4d5e6..7d8e9f0 100644
--- a/docs/config.md
+++ b/docs/config.md
@@ -4,3 +4,3 @@
 ## timeout
 
-A number of seconds, such as \`90s\`.
+A duration such as \`90s\`, \`5m\` or \`1h30m\`.
`;

export function sampleDiff(run: string, over: Partial<RunDiff> = {}): RunDiff {
  return {
    run_id: run,
    base: '41e0a9c7d5b3f1e2c4a6b8d0f2e4c6a8b0d2f4e6',
    head: '9f31c02ab7d94e1f8a60b2c3d4e5f60718293a4b',
    files: [
      { path: 'src/duration.ts', added: 5, removed: 4 },
      { path: 'src/duration.test.ts', added: 4, removed: 0 },
      { path: 'docs/config.md', added: 1, removed: 1 },
    ],
    untracked: ['scratch.txt'],
    commits: [
      {
        sha: '9f31c02ab7d94e1f8a60b2c3d4e5f60718293a4b',
        subject: 'Read several units in one duration',
        author: 'Agent',
        at: '2026-07-01T09:21:00.000Z',
      },
      {
        sha: '52c8e1f0a9b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3',
        subject: 'Show that 1h30m is refused',
        author: 'Agent',
        at: '2026-07-01T09:14:00.000Z',
      },
    ],
    patch: PATCH,
    truncated: false,
    ...over,
  };
}
