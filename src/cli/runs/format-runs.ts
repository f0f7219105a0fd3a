import { formatWhole } from '../../contract/format.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import { runToJson } from '../history/run-json.ts';
import { formatCost, formatDuration, oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { formatTime, timeHeading } from '../terminal/times.ts';
import { outcomeTone } from '../terminal/tones.ts';
import { LIVE, type ListedRuns, type LiveRun } from './list-runs.ts';

/** One row per run: what is short first, then its title. */
export function formatRuns({ live, ended, more }: ListedRuns, now: number, look: Look): string {
  const rows: Cell[][] = [
    ...live.map((run): Cell[] => [
      oneLine(run.runId, 40),
      oneLine(run.identifier, 24),
      { text: LIVE, tone: 'start' },
      { text: formatTime(run.startedAt, look), tone: 'quiet' },
      formatDuration(now - run.startedAt),
      // What has not been written down yet is not nothing.
      run.turns === 0 ? '-' : String(run.turns),
      run.usage.totalTokens === 0 ? '-' : formatWhole(run.usage.totalTokens),
      formatCost(run.costUsd),
      agentOf(run),
      { text: oneLine(run.title, 120), cut: true },
    ]),
    ...ended.map((run): Cell[] => [
      oneLine(run.runId, 40),
      oneLine(run.identifier, 24),
      { text: run.outcome.kind, tone: outcomeTone(run.outcome.kind) },
      { text: formatTime(run.startedAt, look), tone: 'quiet' },
      formatDuration(runtimeOfEnded(run)),
      String(run.result.turns),
      formatWhole(run.usage.totalTokens),
      formatCost(run.costUsd),
      agentOf(run),
      { text: oneLine(run.title, 120), cut: true },
    ]),
  ];
  const heads = [
    ...['RUN', 'ISSUE', 'OUTCOME'],
    { text: timeHeading('STARTED', look), spare: 1 },
    { text: 'TOOK', spare: 2 },
    { text: 'TURNS', spare: 6 },
    { text: 'TOKENS', spare: 3 },
    { text: 'COST', spare: 4 },
    { text: 'AGENT', spare: 5 },
    'TITLE',
  ];
  return `${formatListing(heads, rows, look)}${more ? 'There are more; --limit shows more of them.\n' : ''}`;
}

function agentOf({ runner, profile }: { runner: string | null; profile: string | null }): string {
  return oneLine(profile === null ? (runner ?? '-') : `${runner ?? '-'} (${profile})`, 40);
}

export function runsToJson({ live, ended, more }: ListedRuns): string {
  return jsonText({ live: live.map(liveToJson), runs: ended.map(runToJson), more });
}

function liveToJson(run: LiveRun): Record<string, unknown> {
  return {
    run_id: run.runId,
    issue_id: run.issueId,
    issue_identifier: run.identifier,
    title: run.title,
    started_at: new Date(run.startedAt).toISOString(),
    /** When the worker last wrote it down. */
    seen_at: new Date(run.seenAt).toISOString(),
    turns: run.turns,
    total_tokens: run.usage.totalTokens,
    cost_usd: run.costUsd,
    session_id: run.sessionId,
    model: run.model,
    agent_provider: run.runner,
    agent_profile: run.profile,
    workspace_path: run.workspacePath,
  };
}
