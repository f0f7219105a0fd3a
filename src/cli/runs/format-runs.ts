import type { EndedRun } from '../../scheduler/core/commands.ts';
import {
  endedName,
  endedSpent,
  NAME_HEADINGS,
  nameCells,
  SPENT_HEADINGS,
  spentCells,
} from '../history/run-cells.ts';
import { runToJson } from '../history/run-json.ts';
import { oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { formatTime, timeHeading } from '../terminal/times.ts';
import { LIVE, type ListedRuns, type LiveRun } from './list-runs.ts';

/** One row per run: what is short first, then its title. */
export function formatRuns({ live, ended, more }: ListedRuns, now: number, look: Look): string {
  const rows: Cell[][] = [
    ...live.map((run): Cell[] => [
      ...nameCells(run, { text: LIVE, tone: 'start' }),
      { text: formatTime(run.startedAt, look), tone: 'quiet' },
      ...spentCells(now - run.startedAt, run.turns || null, run.usage.totalTokens || null, run.costUsd),
      ...lastCells(run),
    ]),
    ...ended.map((run): Cell[] => [
      ...endedName(run),
      { text: formatTime(run.startedAt, look), tone: 'quiet' },
      ...endedSpent(run),
      ...lastCells(run),
    ]),
  ];
  const heads = [
    ...NAME_HEADINGS,
    { text: timeHeading('STARTED', look), spare: 1 },
    ...SPENT_HEADINGS,
    { text: 'AGENT', spare: 5 },
    'TITLE',
  ];
  return `${formatListing(heads, rows, look)}${more ? 'There are more; --limit shows more of them.\n' : ''}`;
}

function lastCells(run: Pick<EndedRun, 'runner' | 'profile' | 'title'>): Cell[] {
  const { runner, profile, title } = run;
  const agent = profile === null ? (runner ?? '-') : `${runner ?? '-'} (${profile})`;
  return [oneLine(agent, 40), { text: oneLine(title, 120), cut: true }];
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
