import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { WireOutcome } from '../../../src/contract/wire.ts';

const DAY_MS = 86_400_000;
const OUTCOMES: readonly (readonly [WireOutcome, string])[] = [
  ['delivered', 'completed'],
  ['delivered', 'completed'],
  ['progressed', 'completed'],
  ['delivered', 'completed'],
  ['failed', 'hook_failed'],
  ['blocked', 'input_required'],
  ['delivered', 'completed'],
  ['stalled', 'stalled'],
  ['failed', 'turn_failed'],
  ['canceled', 'operator'],
];

/** Two months of runs, newest first: always the same, and believable. */
export function sampleHistory(sample: EndedRun, now: number): EndedRun[] {
  return Array.from({ length: 260 }, (_, index) => {
    const [outcome, reason] = OUTCOMES[(index * 7) % OUTCOMES.length] ?? ['delivered', 'completed'];
    const weight = 1 + ((index * 13) % 9);
    const endedAt = now - Math.floor(index * 0.23 * DAY_MS) - weight * 600_000;
    const seconds = weight * 190;
    return {
      ...sample,
      run_id: `run-${1000 - index}`,
      issue_id: `demo-${Math.floor(index / 2)}`,
      issue_identifier: `DEMO-${Math.floor(index / 2)}`,
      outcome,
      reason,
      tokens: { input_tokens: weight * 21_000, output_tokens: weight * 2_900, total_tokens: weight * 23_900 },
      cost_usd: weight * 0.11,
      agent_provider: index % 3 === 0 ? 'claude' : 'codex-app-server',
      ...(index % 4 === 0 ? { agent_profile: 'careful' } : {}),
      runtime_seconds: seconds,
      started_at: new Date(endedAt - seconds * 1000).toISOString(),
      ended_at: new Date(endedAt).toISOString(),
    };
  });
}
