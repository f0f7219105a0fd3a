import type { RunEvidence } from '../../domain/run-outcome.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { FoundRun } from '../../store/journal.ts';
import { type Columns, formatTable } from '../terminal/format-table.ts';
import { formatCost, formatCount, formatDuration, formatTime, oneLine } from './text.ts';

/** One row per run under a heading; what is long comes last. */
export function formatHistory(runs: readonly EndedRun[], columns: Columns = null): string {
  const rows = runs.map((run) => [
    oneLine(run.runId, 40),
    oneLine(run.identifier, 24),
    run.outcome.kind,
    formatTime(run.endedAt),
    formatDuration(runtimeOfEnded(run)),
    String(run.result.turns),
    formatCount(run.usage.totalTokens),
    formatCost(run.costUsd),
    oneLine(run.outcome.summary, 120),
  ]);
  const heading = ['RUN', 'ISSUE', 'OUTCOME', 'ENDED (UTC)', 'TOOK', 'TURNS', 'TOKENS', 'COST', 'SUMMARY'];
  return formatTable([heading, ...rows], columns);
}

/** What is known of a run, before its timeline. */
export function formatRun(
  { runId, identifier, ended, transcript }: FoundRun,
  columns: Columns = null,
): string {
  const facts: [string, string][] = [['Run', oneLine(runId)]];
  if (ended !== null) facts.push(...describeEnded(ended));
  else {
    facts.push(['Issue', oneLine(identifier ?? 'not known')]);
    facts.push(['Outcome', 'none recorded: the run is live, or it ended together with its worker']);
  }
  if (transcript !== null && transcript.dropped > 0) {
    const { dropped, events } = transcript;
    facts.push(['Timeline', `${formatCount(dropped)} of ${formatCount(events)} events were not kept`]);
  }
  return formatTable(facts, columns);
}

function describeEnded(run: EndedRun): [string, string][] {
  const { usage, result } = run;
  const facts: [string, string | null][] = [
    ['Issue', `${oneLine(run.identifier)}  ${oneLine(run.title)}`],
    ['', run.url === null ? null : oneLine(run.url)],
    ['Outcome', `${run.outcome.kind}: ${oneLine(run.outcome.summary)}`],
    ['Ended', describeEnd(run)],
    ['State', describeState(run)],
    [
      'Time',
      `${formatTime(run.startedAt)} to ${formatTime(run.endedAt)} UTC (${formatDuration(runtimeOfEnded(run))})`,
    ],
    ['Attempt', run.attempt === null ? 'first' : String(run.attempt)],
    ['Agent', describeAgent(run)],
    [
      'Tokens',
      `${formatCount(usage.totalTokens)} (${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out)`,
    ],
    ['Cost', run.costUsd === null ? 'not reported' : formatCost(run.costUsd)],
    ['Evidence', describeEvidence(result.evidence)],
    ['Workspace', run.workspacePath === null ? null : oneLine(run.workspacePath)],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
}

function describeState({ stateBefore, stateAfter, handedOff }: EndedRun): string {
  const by = handedOff ? ' (moved by the agent)' : '';
  return stateBefore === stateAfter
    ? `${oneLine(stateAfter)}, unchanged`
    : `${oneLine(stateBefore)} -> ${oneLine(stateAfter)}${by}`;
}

function describeAgent({ runner, profile, model, sessionId, result }: EndedRun): string {
  const turns = `${result.turns} turn${result.turns === 1 ? '' : 's'} completed`;
  const session = sessionId === null ? [] : [`session ${oneLine(sessionId)}`];
  const names = [runner, profile === null ? null : `profile ${profile}`, model];
  const known = names.flatMap((name) => (name === null ? [] : [oneLine(name)]));
  return [...new Set(known), ...session, turns].join(', ');
}

function describeEnd({ result: { end } }: EndedRun): string | null {
  switch (end.kind) {
    case 'completed':
      return null;
    case 'stopped':
      return `stopped: ${end.reason.kind.replaceAll('_', ' ')}`;
    case 'input_required':
      return `asked by ${oneLine(end.method)}: ${oneLine(end.question)}`;
    case 'quota':
      return `quota: ${oneLine(end.message)}`;
    case 'timed_out':
      return `timed out: ${oneLine(end.message)}`;
    case 'failed':
      return `failed (${oneLine(end.code)}): ${oneLine(end.message)}`;
  }
}

function describeEvidence(evidence: RunEvidence): string {
  const { branch, newCommits, commitsAhead, pushed, filesChanged, uncommittedFiles, pullRequestUrl } =
    evidence;
  const parts = [
    branch === null ? null : `branch ${oneLine(branch)}`,
    counted(newCommits, 'new commit'),
    commitsAhead === null ? null : `${commitsAhead} ahead of the base`,
    pushed === null ? null : pushed ? 'pushed' : 'not pushed',
    filesChanged === null ? null : `${counted(filesChanged, 'file')} changed`,
    uncommittedFiles === null ? null : `${uncommittedFiles} uncommitted`,
    pullRequestUrl === null ? null : oneLine(pullRequestUrl),
  ];
  return parts.filter((part) => part !== null).join(', ') || 'none was found';
}

function counted(count: number | null, noun: string): string | null {
  return count === null ? null : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
