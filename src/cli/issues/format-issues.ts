import { describeQueue, type Queue } from '../../contract/queue.ts';
import { describeChoice, describeReason } from '../../scheduler/core/profile.ts';
import { oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import { ignoredRows } from '../remote/format-status.ts';
import { type Cell, formatLine, formatListing, formatTable } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { type Seen, type SeenIssues, WOULD_RUN } from './look-at-issues.ts';

export function formatIssues({ seen, queue }: SeenIssues, explained: boolean, look: Look): string {
  return `${formatList(seen, explained, look)}${explained ? formatQueue(queue, look) : ''}`;
}

function formatQueue(queue: Queue, look: Look): string {
  const ignored = ignoredRows(queue);
  const list = ignored.length === 0 ? '' : `\nIGNORED\n${formatTable(ignored, look)}`;
  return `\n${formatLine(oneLine(describeQueue(queue), 600), look)}${list}`;
}

function formatList(seen: readonly Seen[], explained: boolean, look: Look): string {
  if (seen.length === 0) return 'No issue is in an active state.\n';
  // While all have the default agent, there is nothing to say about it.
  const routed = explained && seen.some(({ agent }) => describeReason(agent) !== null);
  const rows = seen.map(({ issue, fate, agent }): Cell[] => [
    issue.identifier,
    oneLine(issue.state, 40),
    issue.priority === null ? '-' : String(issue.priority),
    ...(explained ? [fateCell(fate)] : []),
    ...(routed ? [oneLine(describeChoice(agent), 100)] : []),
    { text: oneLine(issue.title), cut: true },
  ]);
  const head = ['ID', 'STATE', 'PRIO', ...(explained ? ['FATE'] : []), ...(routed ? ['AGENT'] : []), 'TITLE'];
  return `${formatListing(head, rows, look)}${explained ? formatWarnings(seen, look) : ''}`;
}

function fateCell(fate: string): Cell {
  const tone = fate === WOULD_RUN ? 'good' : fate.startsWith('would not') ? 'attention' : 'plain';
  return { text: oneLine(fate, 200), tone };
}

/** Where an issue does not get the agent that its labels ask for. */
function formatWarnings(seen: readonly Seen[], look: Look): string {
  return seen
    .flatMap(({ issue, agent: { warning } }) =>
      warning === null
        ? []
        : [formatLine(`! ${issue.identifier}: ${oneLine(warning, 300)}`, look, 'attention')],
    )
    .join('');
}

/** A list; with the explanation, an object of both. */
export function issuesToJson({ seen, queue }: SeenIssues, explained: boolean): string {
  const list = seen.map(({ issue, fate, agent }) => ({
    id: issue.id,
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    labels: issue.labels,
    author: issue.author?.names[0] ?? null,
    blocked_by: issue.blockedBy,
    url: issue.url,
    would_run: fate === WOULD_RUN,
    reason: fate === WOULD_RUN ? null : fate,
    agent: agent.agent.runner,
    agent_profile: agent.agent.profile,
    agent_reason: agent.because,
    agent_warning: agent.warning,
  }));
  return jsonText(explained ? { issues: list, queue } : list);
}
