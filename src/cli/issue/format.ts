import type { Issue } from '../../domain/issue.ts';
import type { IssueComment } from '../../trackers/local/schema.ts';

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

/** A table with aligned columns; what is long comes last. */
export function formatTable(issues: readonly Issue[]): string {
  const rows = issues.map((issue) => [
    issue.identifier,
    oneLine(issue.state),
    issue.priority === null ? '-' : String(issue.priority),
    describeTitle(issue),
  ]);
  const all = [['ID', 'STATE', 'PRIO', 'TITLE'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))));
  return all
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Everything about one issue, for reading. */
export function formatIssue(issue: Issue, comments: readonly IssueComment[], path: string): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['state', oneLine(issue.state)],
    ['priority', issue.priority === null ? null : String(issue.priority)],
    ['labels', issue.labels.map(oneLine).join(', ') || null],
    ['assignee', issue.assigneeId],
    ['author', issue.author?.names[0] ?? null],
    ['waits', issue.undispatchableReason],
    ['branch', issue.branchName],
    ['url', issue.url],
    ['created', issue.createdAt],
    ['updated', issue.updatedAt],
    ['file', path],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`${pad(name, 9)} ${oneLine(value)}`],
  );
  const blocks = [
    `${issue.identifier}  ${oneLine(issue.title)}\n${lines.join('\n')}`,
    ...(issue.description === null ? [] : [printable(issue.description)]),
    ...comments.map(({ author, at, body }) => `-- ${oneLine(author)}, ${at}\n${printable(body)}`),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function describeTitle(issue: Issue): string {
  const labels = issue.labels.length === 0 ? '' : ` [${issue.labels.join(', ')}]`;
  const waits = issue.undispatchableReason === null ? '' : ` (${issue.undispatchableReason})`;
  return oneLine(`${issue.title}${labels}${waits}`);
}

/** Text from a file must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

function pad(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - widthOf(text)))}`;
}

/** Columns a terminal uses: letters of East Asian scripts take two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFF60]/.test(character) ? 2 : 1;
  return width;
}
