import { describe, expect, test } from 'vitest';
import { LIST_PRICES } from './list-prices.ts';
import { estimateCost } from './prices.ts';
import { createUsageMeter, mergeRateLimits } from './telemetry.ts';

const tokens = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
});
const report = (total: ReturnType<typeof tokens>, last = total, threadId = 'a') => ({
  threadId,
  turnId: 't',
  tokenUsage: { total, last },
});

describe('usage', () => {
  test('R-13.5-a R-13.5-b grows with the totals, whatever the last request cost, and counts no report twice', () => {
    const meter = createUsageMeter({});
    expect(meter.accept(report(tokens(100, 10)), true, 'm')).toMatchObject({ usage: { totalTokens: 110 } });
    expect(meter.accept(report(tokens(100, 10)), true, 'm')).toBeNull();
    expect(meter.accept(report(tokens(300, 30), tokens(200, 20)), true, 'm')).toMatchObject({
      usage: { inputTokens: 300, outputTokens: 30, totalTokens: 330 },
      costUsd: null,
    });
  });

  test('what a resumed thread used before is not this session’s', () => {
    const announced = createUsageMeter({});
    expect(announced.accept(report(tokens(1000, 100)), false, 'm')).toBeNull();
    expect(announced.accept(report(tokens(1500, 150), tokens(500, 50)), true, 'm')).toMatchObject({
      usage: { totalTokens: 550 },
    });
    const silent = createUsageMeter({});
    expect(silent.accept(report(tokens(1500, 150), tokens(500, 50)), true, 'm')).toMatchObject({
      usage: { totalTokens: 550 },
    });
  });

  test('an overwritten total takes nothing back', () => {
    const meter = createUsageMeter({});
    meter.accept(report(tokens(900, 100)), true, 'm');
    expect(meter.accept(report(tokens(0, 0)), true, 'm')).toBeNull();
    expect(meter.accept(report(tokens(950, 120)), true, 'm')).toMatchObject({ usage: { totalTokens: 1070 } });
  });

  test('sub-agents’ threads add up', () => {
    const meter = createUsageMeter({});
    meter.accept(report(tokens(100, 10)), true, 'm');
    expect(meter.accept(report(tokens(50, 5), undefined, 'b'), true, 'm')).toMatchObject({
      usage: { totalTokens: 165 },
    });
  });

  test('each step is priced by its own model; one without a price adds nothing', () => {
    const meter = createUsageMeter({ a: { input: 1, cachedInput: 0.5, output: 10 } });
    expect(meter.accept(report(tokens(1_000_000, 100_000, 200_000)), true, 'a')).toMatchObject({
      costUsd: 1.9,
    });
    expect(meter.accept(report(tokens(2_000_000, 100_000, 200_000)), true, 'unknown')).toMatchObject({
      costUsd: 1.9,
    });
  });
});

test('a model without a price has no estimate, whatever it is called', () => {
  expect(estimateCost(LIST_PRICES.models, 'constructor', tokens(1, 1))).toBeNull();
  expect(estimateCost(LIST_PRICES.models, 'gpt-5', tokens(1_000_000, 0, 1_000_000))).toBe(0.125);
});

describe('rate limits', () => {
  test('are merged, not replaced', () => {
    const merge = mergeRateLimits();
    const primary = { usedPercent: 40, windowDurationMins: 300, resetsAt: 1_800_000_000 };
    expect(merge({ limitId: 'codex', primary, secondary: null, planType: 'pro' })).toEqual({
      type: 'rate_limits',
      rateLimits: {
        limit_id: 'codex',
        primary: { used_percent: 40, window_duration_mins: 300, resets_at: 1_800_000_000 },
        plan_type: 'pro',
      },
    });
    expect(merge({ limitId: null, primary: null, secondary: null })).toBeNull();
    expect(merge({ primary: { usedPercent: 41, resetsAt: null } })).toMatchObject({
      rateLimits: {
        primary: { used_percent: 41, window_duration_mins: 300, resets_at: 1_800_000_000 },
        plan_type: 'pro',
      },
    });
  });

  test('another limit stands beside the main one', () => {
    const merge = mergeRateLimits();
    merge({ limitId: 'codex', primary: { usedPercent: 1 } });
    expect(merge({ limitId: 'review', primary: { usedPercent: 9 } })).toMatchObject({
      rateLimits: { primary: { used_percent: 1 }, review: { primary: { used_percent: 9 } } },
    });
  });
});

test('the list of prices says where it is from and when it was read', () => {
  expect(LIST_PRICES.source).toMatch(/^https:/);
  expect(Date.parse(LIST_PRICES.asOf)).not.toBeNaN();
  for (const { input, cachedInput, output } of Object.values(LIST_PRICES.models)) {
    expect(cachedInput).toBeLessThan(input);
    expect(output).toBeGreaterThan(input);
  }
});
