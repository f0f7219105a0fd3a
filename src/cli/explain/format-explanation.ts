import { formatWhole } from '../../contract/format.ts';
import type { BudgetUse } from '../../scheduler/explain/issue-rules.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import { runToJson } from '../history/run-json.ts';
import { formatDuration, oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import {
  type Cell,
  formatFacts,
  formatLine,
  formatListing,
  formatTable,
  type Rows,
} from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { formatInstant, formatTime, timeHeading } from '../terminal/times.ts';
import { outcomeTone, paint, type Tone } from '../terminal/tones.ts';
import type { Explanation } from './explanation.ts';
import type { Outlook } from './outlook.ts';

const TONES: Readonly<Record<Outlook['status'], Tone>> = {
  running: 'start',
  needs_you: 'attention',
  retrying: 'plain',
  waiting: 'plain',
  would_start: 'good',
  in_review: 'attention',
  not_active: 'plain',
  over: 'quiet',
  unknown: 'attention',
};

const SHOWN_RUNS = 5;

export function formatExplanation(explained: Explanation, look: Look): string {
  const section = (title: string, body: string): string =>
    body === '' ? '' : `\n${paint(title, 'strong', look.color)}\n${body}`;
  return [
    formatLine(`${oneLine(explained.identifier)}  ${explained.title}`, look, 'strong'),
    formatFacts(headFacts(explained, look), look),
    section('RULES', formatTable(ruleRows(explained), look)),
    section('BUDGETS', formatTable([...explained.budgets.map(budgetRow), ...lifetimeRows(explained)], look)),
    section('WORK', formatFacts(workFacts(explained), look)),
    section('RUNS', formatRuns(explained, look)),
    section('YOU CAN', formatSuggestions(explained, look)),
    ...explained.gaps.map((gap) => formatLine(`! not known: ${gap}`, look, 'attention')),
  ].join('');
}

function headFacts({ state, url, outlook, claim }: Explanation, look: Look): [string, Cell | null][] {
  const at = outlook.at === null ? '' : `, at ${formatInstant(outlook.at, look)}`;
  return [
    ['State', state === null || state === '' ? null : oneLine(state)],
    ['Status', { text: outlook.status.replaceAll('_', ' '), tone: TONES[outlook.status] }],
    ['Claim', claimText(claim, look)],
    ['Now', outlook.now],
    ['Next', `${outlook.next}${at}`],
    ['Page', url === null ? null : oneLine(url)],
  ];
}

function claimText({ phase, runId, since, attempt }: Explanation['claim'], look: Look): string {
  const parts = [
    phase,
    ...(runId === null ? [] : [`run ${oneLine(runId, 40)}`]),
    ...(attempt === null ? [] : [`attempt ${attempt}`]),
    ...(since === null ? [] : [`since ${formatInstant(since, look)}`]),
  ];
  return parts.join(', ');
}

function ruleRows({ rules }: Explanation): Rows {
  return rules.map(({ name, ok, text }) => [
    { text: ok ? '  ok' : '  no', tone: ok ? 'good' : 'bad' },
    name,
    oneLine(text, 300),
  ]);
}

function budgetRow({ unit, used, limit }: BudgetUse): Cell[] {
  const write: Readonly<Record<BudgetUse['unit'], (value: number) => string>> = {
    turns: formatWhole,
    tokens: formatWhole,
    usd: (value) => `$${value.toFixed(2)}`,
    runtimeMs: formatDuration,
  };
  const name = unit === 'runtimeMs' ? 'agent time' : unit === 'usd' ? 'cost' : unit;
  const text = `${write[unit](used)} of ${limit === null ? 'any' : write[unit](limit)}`;
  const tone: Tone = limit !== null && used >= limit ? 'bad' : 'plain';
  return [`  ${name}`, { text: limit === null ? `${write[unit](used)}, no limit` : text, tone }];
}

/** What earlier rounds used is no part of a budget, and still was paid for. */
function lifetimeRows({ lifetime }: Explanation): Rows {
  if (lifetime === null || lifetime.runs === 0) return [];
  const { runs, usage, runtimeMs } = lifetime;
  const sum = `${formatWhole(runs)} run${runs === 1 ? '' : 's'}, ${formatWhole(usage.totalTokens)} tokens, ${formatDuration(runtimeMs)}`;
  return [['  all in all', { text: sum, tone: 'quiet' }]];
}

function workFacts({ work }: Explanation): [string, Cell | null][] {
  const { branch, commits, pushed, session } = work;
  const parts = [
    ...(commits === null ? [] : [`${commits} commit${commits === 1 ? '' : 's'} ahead of the base`]),
    ...(pushed === null || commits === 0 ? [] : [pushed ? 'pushed' : 'not pushed']),
  ];
  return [
    ['  Branch', branch === null ? null : [oneLine(branch), ...parts].join(', ')],
    ['  Pull request', work.pullRequestUrl === null ? null : oneLine(work.pullRequestUrl)],
    ['  Session', session === null ? null : `${oneLine(session.agent)} ${oneLine(session.id)}`],
    ['  Workspace', work.workspace === null ? null : oneLine(work.workspace)],
  ];
}

function formatRuns({ runs }: Explanation, look: Look): string {
  const rows = runs
    .slice(0, SHOWN_RUNS)
    .map((run): Cell[] => [
      `  ${oneLine(run.runId, 40)}`,
      { text: run.outcome.kind, tone: outcomeTone(run.outcome.kind) },
      { text: formatTime(run.endedAt, look), tone: 'quiet' },
      formatDuration(runtimeOfEnded(run)),
      oneLine(run.outcome.summary, 160),
    ]);
  const heads = ['  RUN', 'OUTCOME', { text: timeHeading('ENDED', look), spare: 1 }, 'TOOK', 'SUMMARY'];
  return formatListing(heads, rows, look);
}

/** A command is never broken, so that it can be copied. */
function formatSuggestions({ suggestions }: Explanation, look: Look): string {
  return suggestions
    .map(({ what, command }) =>
      command === null
        ? formatLine(`  ${what}`, look)
        : `  > ${paint(command, 'start', look.color)}\n${formatLine(`      ${what}`, look, 'quiet')}`,
    )
    .join('');
}

export function explanationToJson(explained: Explanation): string {
  const { outlook, work } = explained;
  return jsonText({
    issue_identifier: explained.identifier,
    title: explained.title,
    issue_url: explained.url,
    state: explained.state,
    status: outlook.status,
    now: outlook.now,
    next: outlook.next,
    next_at: outlook.at === null ? null : new Date(outlook.at).toISOString(),
    hold: outlook.hold,
    claim: {
      phase: explained.claim.phase,
      run_id: explained.claim.runId,
      since: explained.claim.since === null ? null : new Date(explained.claim.since).toISOString(),
      attempt: explained.claim.attempt,
    },
    rules: explained.rules,
    budgets: explained.budgets.map(({ unit, used, limit }) =>
      unit === 'runtimeMs'
        ? { unit: 'runtime_seconds', used: used / 1000, limit: limit === null ? null : limit / 1000 }
        : { unit, used, limit },
    ),
    branch: work.branch,
    commits: work.commits,
    pushed: work.pushed,
    pull_request_url: work.pullRequestUrl,
    workspace_path: work.workspace,
    session: work.session,
    runs: explained.runs.map(runToJson),
    suggestions: explained.suggestions,
    not_known: explained.gaps,
  });
}
