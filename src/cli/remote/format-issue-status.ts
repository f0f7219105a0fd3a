import type { IssueDetail } from '../../contract/issue-detail.ts';
import { oneLine } from '../history/text.ts';
import { type Cell, formatFacts } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { commandFor, nextCommands } from '../terminal/next-command.ts';
import { formatInstant } from '../terminal/times.ts';
import { outcomeTone, type Tone } from '../terminal/tones.ts';
import { agentText } from './agent-text.ts';
import type { TargetFlags } from './find-worker.ts';
import { formatNext } from './format-status.ts';

const SHOWN_RUNS = 5;

const STATUS_TONES: Readonly<Record<IssueDetail['status'], Tone>> = {
  running: 'start',
  blocked: 'attention',
  retrying: 'plain',
  waiting: 'plain',
  operator_terminal_stop: 'attention',
  finished: 'good',
  released: 'quiet',
};

/** Where one issue stands, and what to type when it waits for a person. */
export function formatIssueStatus(issue: IssueDetail, look: Look, target: TargetFlags): string {
  const { running, blocked, retry, waiting } = issue;
  const facts: [string, Cell | null][] = [
    ['Issue', `${oneLine(issue.issue_identifier)}  ${oneLine(issue.title)}`],
    ['State', oneLine(issue.state)],
    ['Status', { text: statusText(issue), tone: STATUS_TONES[issue.status] }],
    ['Run', running === null ? null : `${running.run_id}, ${running.phase}, turn ${running.turn_count}`],
    ['Agent', agentText(running ?? blocked ?? retry ?? waiting ?? issue.ended[0] ?? {})],
    ['Now', running === null ? null : oneLine(running.last_message)],
    ['Question', blocked?.question === undefined ? null : oneLine(blocked.question)],
    ['Because', waiting === null ? null : oneLine(waiting.reason)],
    ['Next run', retry === null ? null : nextRun(retry, look)],
    ['Waits for', retry?.reason ?? null],
    ['Problem', issue.last_error === null ? null : oneLine(issue.last_error)],
    ['Workspace', issue.workspace.path],
    ...issue.ended.slice(0, SHOWN_RUNS).map((run): [string, Cell] => {
      const text = `${formatInstant(Date.parse(run.ended_at), look)}, ${run.outcome}: ${oneLine(run.summary, 120)}`;
      return ['Ended', { text, tone: outcomeTone(run.outcome) }];
    }),
  ];
  return `${formatFacts(facts, look)}${formatNext(commandsAbout(issue, target), look)}`;
}

/** Finished is what the worker did, not the issue. */
function statusText({ status, ended }: IssueDetail): string {
  if (status !== 'finished') return status.replaceAll('_', ' ');
  return ended[0]?.outcome === 'delivered' ? 'handed over' : 'no longer worked on';
}

function nextRun({ kind, attempt, due_at: due }: NonNullable<IssueDetail['retry']>, look: Look): string {
  return `${kind}, attempt ${attempt}, at ${formatInstant(Date.parse(due), look)}`;
}

function commandsAbout(issue: IssueDetail, target: TargetFlags): readonly string[] {
  if (issue.blocked !== null) return nextCommands(issue.blocked, target);
  return issue.status === 'operator_terminal_stop'
    ? [commandFor(['clear-stop', issue.issue_identifier], target)]
    : [];
}
