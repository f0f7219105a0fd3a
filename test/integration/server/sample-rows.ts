import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';

type Rows = Pick<
  StateSnapshot,
  | 'running'
  | 'waiting'
  | 'retrying'
  | 'blocked'
  | 'ended'
  | 'recent_events'
  | 'completed'
  | 'operator_terminal_stops'
  | 'completed_session_usage'
>;

function tokens(input: number, output: number) {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

function issue(number: number) {
  return {
    issue_id: `demo-${number}`,
    issue_identifier: `DEMO-${number}`,
    issue_url: `https://tracker.example/DEMO-${number}`,
  };
}

/** Believable rows, one for every look a page has to handle. */
export function sampleRows(now: number): Rows {
  const at = (secondsAgo: number): string => new Date(now - secondsAgo * 1000).toISOString();
  return {
    running: running(at),
    waiting: [
      {
        ...issue(14),
        title: 'Add a --json flag to the report command',
        state: 'Todo',
        reason: 'all 3 agent slots are busy',
      },
      {
        ...issue(15),
        issue_url: null,
        title: 'Publish the changelog',
        state: 'Todo',
        reason: 'blocked by DEMO-11 (In Progress)',
      },
    ],
    retrying: [
      {
        ...issue(9),
        title: 'Cache the dependency graph between runs',
        state: 'In Progress',
        kind: 'failure',
        attempt: 3,
        due_at: at(-34),
        error: 'the agent process ended in the middle of its turn (exit code 137)',
      },
      {
        ...issue(10),
        title: 'Rename the settings module',
        state: 'In Progress',
        kind: 'continuation',
        attempt: 1,
        due_at: at(-1),
        error: null,
      },
    ],
    blocked: blocked(at),
    ended: ended(at),
    recent_events: [
      {
        at: at(2),
        kind: 'running',
        issue_id: 'demo-13',
        issue_identifier: 'DEMO-13',
        run_id: 'run-31',
        message: 'run started',
      },
      {
        at: at(9),
        kind: 'retry_scheduled',
        issue_id: 'demo-9',
        issue_identifier: 'DEMO-9',
        message: 'attempt 3 in 40 s after a failure',
      },
      {
        at: at(41),
        kind: 'completed',
        issue_id: 'demo-5',
        issue_identifier: 'DEMO-5',
        run_id: 'run-28',
        message: 'delivered: moved to Human Review, 3 commits pushed',
      },
      {
        at: at(88),
        kind: 'continuation_budget_blocked',
        issue_id: 'demo-7',
        issue_identifier: 'DEMO-7',
        message: 'blocked after 6 turns without a hand-over',
      },
      { at: at(754), kind: 'worker_started', message: 'worker started with 9 candidates' },
    ],
    completed: ['demo-3', 'demo-4', 'demo-5', 'demo-6'],
    operator_terminal_stops: [
      {
        issue_id: 'demo-2',
        issue_identifier: 'DEMO-2',
        state: 'Canceled',
        stopped_at: at(300),
        suppressed_dispatches: 0,
      },
    ],
    completed_session_usage: [
      {
        ...issue(5),
        state: 'Human Review',
        tokens: tokens(88_000, 9_100),
        runtime_seconds: 142.2,
        completed_at: at(41),
        outcome: 'completed',
      },
    ],
  };
}

function running(at: (secondsAgo: number) => string): Rows['running'] {
  return [
    {
      ...issue(11),
      run_id: 'run-29',
      title: 'Parse durations such as 1h30m in the scheduler settings',
      state: 'In Progress',
      phase: 'StreamingTurn',
      session_id: 'session-4f2a',
      turn_count: 2,
      max_turns: 6,
      last_event: 'activity',
      last_message:
        'running npm test -- duration: 41 passed, 1 failed; looking at the rounding of half seconds',
      started_at: at(193),
      runtime_seconds: 193,
      last_event_at: at(1),
      tokens: tokens(184_220, 12_904),
      branch: 'ai/DEMO-11',
      workspace_path: '/srv/demo/workspaces/DEMO-11',
      codex_app_server_pid: 4711,
      agent_provider: 'mock',
      agent_model: 'mock-1',
    },
    {
      ...issue(12),
      run_id: 'run-30',
      title: 'Keep the cursor where it was after a refresh',
      state: 'Rework',
      phase: 'StreamingTurn',
      session_id: 'session-77b1',
      turn_count: 5,
      max_turns: 6,
      last_event: 'activity',
      last_message: 'editing src/table/cursor.ts',
      started_at: at(611),
      runtime_seconds: 611,
      last_event_at: at(74),
      tokens: tokens(702_118, 40_012),
      branch: 'ai/DEMO-12',
      retry_attempt: 2,
      agent_provider: 'mock',
    },
    {
      ...issue(13),
      run_id: 'run-31',
      title: 'Document the exit codes',
      state: 'Todo',
      phase: 'PreparingWorkspace',
      session_id: '',
      turn_count: 0,
      max_turns: 6,
      last_event: '',
      last_message: '',
      started_at: at(2),
      runtime_seconds: 2,
      last_event_at: null,
      tokens: tokens(0, 0),
      branch: null,
    },
  ];
}

function blocked(at: (secondsAgo: number) => string): Rows['blocked'] {
  return [
    {
      ...issue(7),
      title: 'Make the whole suite faster',
      state: 'In Progress',
      blocked_at: at(88),
      method: 'continuation_budget',
      error: 'used 6 of 6 continuation turns without handing over',
      branch: 'ai/DEMO-7',
      runtime_seconds: 402.4,
      tokens: tokens(240_100, 21_000),
    },
    {
      ...issue(8),
      title: 'Move the release job to the new runners',
      state: 'In Progress',
      blocked_at: at(1320),
      method: 'item/tool/requestUserInput',
      error: 'the agent asked a question',
      question:
        'The old runners still publish the nightly image. Should I remove that job as well, or keep it until the 1.0 release?',
      branch: 'ai/DEMO-8',
      runtime_seconds: 66,
      tokens: tokens(31_400, 2_200),
    },
  ];
}

const ENDED_TITLES: Readonly<Record<number, string>> = {
  3: 'Upgrade the HTML sanitizer',
  4: 'Split the import into batches',
  5: 'Accept 1h30m as a timeout',
  6: 'Show the time zone next to every date',
  7: 'Make the whole suite faster',
  9: 'Cache the dependency graph between runs',
};

function ended(at: (secondsAgo: number) => string): EndedRun[] {
  const row = (
    number: number,
    outcome: EndedRun['outcome'],
    summary: string,
    secondsAgo: number,
  ): EndedRun => ({
    ...issue(number),
    run_id: `run-${number}`,
    title: ENDED_TITLES[number] ?? `Tidy up after DEMO-${number}`,
    state: outcome === 'delivered' ? 'Human Review' : 'In Progress',
    outcome,
    summary,
    branch: `ai/DEMO-${number}`,
    commits: outcome === 'delivered' ? 3 : 0,
    new_commits: outcome === 'delivered' ? 1 : 0,
    pushed: outcome === 'delivered',
    pull_request_url: number === 5 ? 'https://code.example/pulls/12' : null,
    turns: 2,
    tokens: tokens(88_000, 9_100),
    runtime_seconds: 142.2,
    ended_at: at(secondsAgo),
  });
  return [
    row(5, 'delivered', 'moved to Human Review; 3 commits pushed', 41),
    row(7, 'blocked', 'used 6 of 6 continuation turns without handing over', 88),
    row(9, 'failed', 'the agent process ended in the middle of its turn (exit code 137)', 96),
    row(4, 'progressed', 'one new commit, still In Progress', 190),
    row(6, 'canceled', 'stopped: the issue was moved to Backlog', 260),
    row(3, 'stalled', 'silent for 5 minutes', 500),
  ];
}
