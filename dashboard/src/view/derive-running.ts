import type { RunningRow } from '../../../src/contract/claim-rows.ts';
import { formatAge, formatCount, formatDuration } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { WirePhase } from '../../../src/contract/wire.ts';
import { deriveIssue, type IssueView } from './derive-issue.ts';

export interface RunningView {
  readonly key: string;
  readonly issue: IssueView;
  readonly state: string;
  readonly phase: string;
  readonly turn: number;
  readonly maxTurns: number;
  readonly turnLabel: string;
  readonly activity: string;
  readonly activityAge: string | null;
  /** True when the agent has been silent for unusually long. */
  readonly quiet: boolean;
  readonly runtime: string;
  readonly tokens: string;
  readonly tokenDetail: string;
  readonly branch: string | null;
  readonly facts: readonly string[];
}

const QUIET_AFTER_SECONDS = 60;

const PHASES: Readonly<Record<WirePhase, { label: string; activity: string }>> = {
  PreparingWorkspace: {
    label: 'Preparing workspace',
    activity: 'Cloning the repository and setting up the branch',
  },
  BuildingPrompt: { label: 'Building prompt', activity: 'Writing the instructions for the agent' },
  LaunchingAgentProcess: { label: 'Starting agent', activity: 'Starting the agent process' },
  InitializingSession: { label: 'Opening session', activity: 'Waiting for the agent to say hello' },
  StreamingTurn: { label: 'Working', activity: 'Waiting for the first sign of life' },
  Finishing: { label: 'Finishing', activity: 'Collecting what the run left behind' },
};

export function deriveRunning(snapshot: StateSnapshot, workerNow: number): readonly RunningView[] {
  const sinceSnapshot = (workerNow - Date.parse(snapshot.generated_at)) / 1000;
  return snapshot.running.map((row) => ({
    key: row.run_id,
    issue: deriveIssue(row, row.run_id),
    state: row.state,
    phase: PHASES[row.phase].label,
    turn: row.turn_count,
    maxTurns: row.max_turns,
    turnLabel:
      row.turn_count === 0 ? `up to ${row.max_turns} turns` : `turn ${row.turn_count} of ${row.max_turns}`,
    ...deriveActivity(row, workerNow),
    runtime: formatDuration(row.runtime_seconds + sinceSnapshot),
    tokens: formatCount(row.tokens.total_tokens),
    tokenDetail: `${formatCount(row.tokens.input_tokens)} in, ${formatCount(row.tokens.output_tokens)} out`,
    branch: row.branch,
    facts: deriveFacts(row),
  }));
}

function deriveActivity(
  row: RunningRow,
  workerNow: number,
): Pick<RunningView, 'activity' | 'activityAge' | 'quiet'> {
  // A phase before or after the turns says more than what the agent said last.
  const text =
    row.phase === 'StreamingTurn' && row.last_message !== '' ? row.last_message : PHASES[row.phase].activity;
  const since = row.last_event_at ?? row.started_at;
  const silence = (workerNow - Date.parse(since)) / 1000;
  const quiet = silence >= QUIET_AFTER_SECONDS;
  const age = quiet ? `quiet for ${formatDuration(silence)}` : formatAge(silence);
  return { activity: text, activityAge: row.last_event_at === null && !quiet ? null : age, quiet };
}

function deriveFacts(row: RunningRow): readonly string[] {
  const agent = new Set(
    [row.agent_provider, row.agent_model].filter((name) => name !== undefined && name !== ''),
  );
  const facts = agent.size === 0 ? [] : [[...agent].join(' · ')];
  const { agent_profile: profile, agent_reason: reason } = row;
  const why = reason === undefined ? '' : ` (${reason})`;
  if (profile !== undefined) facts.push(`profile ${profile}${why}`);
  else if (reason !== undefined) facts.push(reason);
  if (row.retry_attempt !== undefined) facts.push(`attempt ${row.retry_attempt}`);
  if (row.codex_app_server_pid !== undefined) facts.push(`pid ${row.codex_app_server_pid}`);
  return facts;
}
