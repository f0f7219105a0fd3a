import { formatWhole } from '../../contract/format.ts';
import type { RunEvidence } from '../../domain/run-outcome.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { FoundRun } from '../../store/journal.ts';
import { type Cell, formatFacts, formatListing } from '../terminal/format-table.ts';
import { type Look, PLAIN } from '../terminal/look.ts';
import { formatInstant, formatTime, timeHeading } from '../terminal/times.ts';
import { outcomeTone } from '../terminal/tones.ts';
import { endedName, endedSpent, NAME_HEADINGS, SPENT_HEADINGS } from './run-cells.ts';
import { formatCost, formatDuration, oneLine } from './text.ts';

/** One row per run under a heading; what is long comes last. */
export function formatHistory(runs: readonly EndedRun[], look: Look = PLAIN): string {
  const rows = runs.map((run): Cell[] => [
    ...endedName(run),
    { text: formatTime(run.endedAt, look), tone: 'quiet' },
    ...endedSpent(run),
    { text: oneLine(run.title, 80), cut: true },
    oneLine(run.outcome.summary, 120),
  ]);
  const headings = [
    ...NAME_HEADINGS,
    { text: timeHeading('ENDED', look), spare: 1 },
    ...SPENT_HEADINGS,
    { text: 'TITLE', spare: 5 },
    'SUMMARY',
  ];
  return formatListing(headings, rows, look);
}

/** What is known of a run, before its timeline. */
export function formatRun({ runId, identifier, ended, transcript }: FoundRun, look: Look = PLAIN): string {
  const facts: [string, Cell | null][] = [['Run', oneLine(runId)]];
  if (ended !== null) facts.push(...describeEnded(ended, look));
  else {
    facts.push(['Issue', oneLine(identifier ?? 'not known')]);
    facts.push(['Outcome', 'none recorded: the run is live, or it ended together with its worker']);
  }
  if (transcript !== null && transcript.dropped > 0) {
    const { dropped, events } = transcript;
    facts.push(['Timeline', `${formatWhole(dropped)} of ${formatWhole(events)} events were not kept`]);
  }
  return formatFacts(facts, look);
}

function describeEnded(run: EndedRun, look: Look): [string, Cell | null][] {
  const { usage, result } = run;
  return [
    ['Issue', `${oneLine(run.identifier)}  ${oneLine(run.title)}`],
    ['', run.url === null ? null : oneLine(run.url)],
    [
      'Outcome',
      { text: `${run.outcome.kind}: ${oneLine(run.outcome.summary)}`, tone: outcomeTone(run.outcome.kind) },
    ],
    ['Ended', describeEnd(run)],
    ['State', describeState(run)],
    [
      'Time',
      `${formatTime(run.startedAt, look)} to ${formatInstant(run.endedAt, look)} (${formatDuration(runtimeOfEnded(run))})`,
    ],
    ['Attempt', run.attempt === null ? 'first' : String(run.attempt)],
    ['Agent', describeAgent(run)],
    [
      'Tokens',
      `${formatWhole(usage.totalTokens)} (${formatWhole(usage.inputTokens)} in, ${formatWhole(usage.outputTokens)} out)`,
    ],
    ['Cost', run.costUsd === null ? 'not reported' : formatCost(run.costUsd)],
    ['Evidence', describeEvidence(result.evidence)],
    ['Workspace', run.workspacePath === null ? null : oneLine(run.workspacePath)],
  ];
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
