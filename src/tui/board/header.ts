import {
  formatCost,
  formatCount,
  formatCountdown,
  formatDuration,
  formatWhole,
} from '../../contract/format.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, type Span, span, type Tone } from '../text/paint.ts';
import { fitTo, widthOf } from '../text/width.ts';
import { describeRateLimits } from './rate-limits.ts';

interface Fact {
  readonly label: string;
  readonly value: string;
  readonly tone: Tone;
}

export interface HeaderInput {
  readonly state: StateSnapshot;
  /** The worker's clock. */
  readonly now: number;
  readonly tokensPerSecond: number | null;
  /** Null when the page is off. */
  readonly pageUrl: string | null;
}

const SEPARATOR = '   ';
const RAIL = '│ ';

/** The facts about the worker as a whole, as many lines as they take; `groups` says how many of the three groups are shown. */
export function headerLines(input: HeaderInput, columns: number, groups: number): readonly Line[] {
  return [workFacts(input), limitFacts(input), placeFacts(input)]
    .slice(0, groups)
    .flatMap((facts) => flow(facts, columns));
}

function workFacts({ state, now, tokensPerSecond: tps }: HeaderInput): readonly Fact[] {
  const { codex_totals: totals, spending } = state;
  const sinceSnapshot = Math.max(0, (now - Date.parse(state.generated_at)) / 1000);
  const runtime = totals.seconds_running + sinceSnapshot * state.running.length;
  const { today } = spending;
  return [
    { label: 'Agents', value: `${state.running.length}/${state.max_concurrent_agents}`, tone: 'good' },
    { label: 'Throughput', value: tps === null ? 'n/a' : `${formatWhole(tps)} tps`, tone: 'name' },
    { label: 'Runtime', value: formatDuration(runtime), tone: 'time' },
    {
      label: 'Tokens',
      value: `in ${formatCount(totals.input_tokens)} out ${formatCount(totals.output_tokens)} total ${formatCount(totals.total_tokens)}`,
      tone: 'number',
    },
    {
      label: 'Cost',
      value:
        today.cost_usd > 0 || spending.worker.cost_usd > 0 ? `${formatCost(today.cost_usd)} today` : 'n/a',
      tone: 'number',
    },
  ];
}

function limitFacts({ state, now }: HeaderInput): readonly Fact[] {
  const { tracker } = state;
  const [scarcest] = tracker.allowances;
  return [
    { label: 'Next poll', value: pollText(state, now), tone: 'time' },
    { label: 'Rate limits', value: describeRateLimits(state.rate_limits, now), tone: 'plain' },
    ...(scarcest === undefined
      ? []
      : [
          {
            label: 'Tracker',
            value: `${cleanLine(scarcest.name)} ${formatWhole(scarcest.remaining)}/${formatWhole(scarcest.limit)}`,
            tone: 'plain' as const,
          },
        ]),
  ];
}

/** Without a next poll one is under way or the worker stops; a worker that tells of neither says how often it polls. */
function pollText(
  { next_poll_at: next, last_poll: last, poll_interval_ms: every }: StateSnapshot,
  now: number,
): string {
  if (next !== null) return formatCountdown((Date.parse(next) - now) / 1000);
  if (last !== null) return 'polling';
  return every > 0 ? `every ${formatDuration(every / 1000)}` : 'n/a';
}

function placeFacts({ state, pageUrl }: HeaderInput): readonly Fact[] {
  return [
    { label: 'Workflow', value: cleanLine(state.config.workflow_path) || 'n/a', tone: 'plain' },
    { label: 'Page', value: pageUrl === null ? 'off' : cleanLine(pageUrl), tone: 'name' },
  ];
}

/** Facts beside each other as long as they fit; one that is too long for a line is cut. */
function flow(facts: readonly Fact[], columns: number): readonly Line[] {
  const lines: Line[] = [];
  let spans: Span[] = [];
  let width = 0;
  const room = columns - RAIL.length;
  for (const { label, value, tone } of facts) {
    const shown = fitTo(value, Math.max(1, room - label.length - 1));
    const own = label.length + 1 + widthOf(shown);
    const needed = own + (spans.length === 0 ? 0 : SEPARATOR.length);
    if (spans.length > 0 && width + needed > room) {
      lines.push({ spans: [span(RAIL, 'quiet'), ...spans] });
      spans = [];
      width = 0;
    }
    if (spans.length > 0) spans.push(span(SEPARATOR));
    width += spans.length === 0 ? own : own + SEPARATOR.length;
    spans.push(span(`${label} `, 'quiet'), span(shown, tone));
  }
  return spans.length === 0 ? lines : [...lines, { spans: [span(RAIL, 'quiet'), ...spans] }];
}
