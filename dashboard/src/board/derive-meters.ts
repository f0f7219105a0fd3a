import { formatCost, formatCount, formatCountdown, formatDuration } from '../../../src/contract/format.ts';
import { type LimitWindow, readLimitWindows } from '../../../src/contract/rate-limits.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';

export interface MeterView {
  readonly label: string;
  /** How much is used, from 0 to 1. */
  readonly used: number;
  readonly text: string;
  readonly tone: 'good' | 'attention' | 'bad';
}

/** Whatever runs out: the agent's rate limits, the tracker's allowance, the budgets of the day. */
export function deriveMeters(snapshot: StateSnapshot, workerNow: number): readonly MeterView[] {
  return [
    ...dayMeters(snapshot),
    ...windowMeters(snapshot.rate_limits, workerNow),
    ...snapshot.tracker.allowances.map(({ name, limit, remaining, reset_at: reset }) =>
      meter(
        `Tracker: ${name}`,
        limit === 0 ? 1 : 1 - remaining / limit,
        `${formatCount(remaining)} of ${formatCount(limit)} left, whole again ${until(reset, workerNow)}`,
      ),
    ),
  ];
}

function dayMeters({ spending: { today, day_limits: limits = {} } }: StateSnapshot): readonly MeterView[] {
  const { tokens, cost_usd: cost, turns, runtime_seconds: seconds } = limits;
  return [
    ...(tokens === undefined ? [] : [part('Tokens today', today.tokens, tokens, formatCount)]),
    ...(cost === undefined ? [] : [part('Cost today', today.cost_usd, cost, formatCost)]),
    ...(turns === undefined ? [] : [part('Turns today', today.turns, turns, formatCount)]),
    ...(seconds === undefined
      ? []
      : [part('Agent time today', today.runtime_seconds, seconds, formatDuration)]),
  ];
}

function part(label: string, spent: number, limit: number, format: (value: number) => string): MeterView {
  return meter(label, limit === 0 ? 1 : spent / limit, `${format(spent)} of ${format(limit)}`);
}

const WINDOWS: Readonly<Record<string, string>> = {
  primary: 'Agent: short window',
  secondary: 'Agent: long window',
  five_hour: 'Agent: five hours',
  seven_day: 'Agent: seven days',
};

/** The windows of which an agent told how much is used, or how much is left of how much. */
function windowMeters(limits: StateSnapshot['rate_limits'], now: number): readonly MeterView[] {
  return readLimitWindows(limits, now).flatMap((window) => {
    const told = windowUse(window);
    if (told === null) return [];
    const label = window.name === null ? 'Agent: rate limit' : (WINDOWS[window.name] ?? window.name);
    const reset = window.resetSeconds === null ? '' : `, whole again ${formatCountdown(window.resetSeconds)}`;
    return [meter(label, told.used, `${told.text}${reset}`)];
  });
}

function windowUse({ usedPercent, remaining, limit }: LimitWindow): { used: number; text: string } | null {
  if (usedPercent !== null) return { used: usedPercent / 100, text: `${Math.round(usedPercent)} % used` };
  if (remaining === null || limit === null) return null;
  return {
    used: limit === 0 ? 1 : 1 - remaining / limit,
    text: `${formatCount(remaining)} of ${formatCount(limit)} left`,
  };
}

function meter(label: string, used: number, text: string): MeterView {
  const share = Math.min(1, Math.max(0, used));
  return { label, used: share, text, tone: share >= 0.95 ? 'bad' : share >= 0.8 ? 'attention' : 'good' };
}

function until(at: string, now: number): string {
  return formatCountdown((Date.parse(at) - now) / 1000);
}
