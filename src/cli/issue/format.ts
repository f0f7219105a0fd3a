import type { Issue } from '../../domain/issue.ts';
import type { IssueComment } from '../../trackers/local/schema.ts';
import { type Cell, formatFacts, formatLine, formatListing } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { plainLine as oneLine } from '../terminal/text-width.ts';
import { formatInstant } from '../terminal/times.ts';

/** JSON with the names of the front matter, for scripts. */
export function toJson(issue: Issue, path: string): Record<string, unknown> {
  return {
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    labels: issue.labels,
    blocked_by: issue.blockedBy,
    assignee: issue.assigneeId,
    author: issue.author?.names[0] ?? null,
    branch: issue.branchName,
    url: issue.url,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    dispatchable: issue.dispatchable,
    undispatchable_reason: issue.undispatchableReason,
    path,
  };
}

/** One line each where the terminal is not too narrow; labels, and what issues wait for, where there are any. */
export function formatIssues(issues: readonly Issue[], look: Look): string {
  const hasLabels = issues.some(({ labels }) => labels.length > 0);
  const hasWaits = issues.some(({ undispatchableReason }) => undispatchableReason !== null);
  const rows = issues.map((issue): Cell[] => [
    issue.identifier,
    oneLine(issue.state),
    issue.priority === null ? '-' : String(issue.priority),
    { text: oneLine(issue.title), cut: true },
    ...(hasLabels ? [{ text: oneLine(issue.labels.join(', ')), tone: 'quiet', cut: true } as const] : []),
    ...(hasWaits ? [oneLine(issue.undispatchableReason ?? '')] : []),
  ]);
  const heads = [
    ...['ID', 'STATE', 'PRIO', 'TITLE'],
    ...(hasLabels ? [{ text: 'LABELS', spare: 1 }] : []),
    ...(hasWaits ? ['WAITS'] : []),
  ];
  return formatListing(heads, rows, look);
}

/** Everything about one issue, for reading. */
export function formatIssue(
  issue: Issue,
  comments: readonly IssueComment[],
  path: string,
  look: Look,
): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['state', oneLine(issue.state)],
    ['priority', issue.priority === null ? null : String(issue.priority)],
    ['labels', issue.labels.map(oneLine).join(', ') || null],
    ['assignee', issue.assigneeId],
    ['author', issue.author?.names[0] ?? null],
    ['waits', issue.undispatchableReason],
    ['branch', issue.branchName],
    ['url', issue.url],
    ['created', when(issue.createdAt, look)],
    ['updated', when(issue.updatedAt, look)],
    ['file', path],
  ];
  const rows = facts.map(([name, value]): [string, string | null] => [
    name.padEnd(8),
    value && oneLine(value),
  ]);
  const blocks = [
    `${formatLine(`${issue.identifier}  ${oneLine(issue.title)}`, look, 'strong')}${formatFacts(rows, look)}`.trimEnd(),
    ...(issue.description === null ? [] : [printable(issue.description)]),
    ...comments.map(({ author, at, body }) => `-- ${oneLine(author)}, ${when(at, look)}\n${printable(body)}`),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Text from a file must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}

/** A time that is none is shown as it is written. */
function when(at: string | null, look: Look): string | null {
  const instant = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(instant) ? at : formatInstant(instant, look);
}
