import { describe, expect, it } from 'vitest';
import { WakeGate } from './wake-gate.ts';

function scene(notBefore: () => number | null = () => null) {
  let now = 1_000_000;
  const timers = new Set<{ at: number; callback: () => void }>();
  const wakes: number[] = [];
  const gate = new WakeGate({
    clock: {
      now: () => now,
      elapsed: () => now,
      paused: () => 0,
      setTimer(delayMs, callback) {
        const timer = { at: now + delayMs, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    times: { settle: 300, gap: 10_000 },
    wake: () => wakes.push(now - 1_000_000),
    notBefore,
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of [...timers]) {
      if (timer.at <= now && timers.delete(timer)) timer.callback();
    }
  };
  return { gate, pass, wakes };
}

describe('WakeGate', () => {
  it('wakes once for what comes together, and once more for what came later', () => {
    const { gate, pass, wakes } = scene();
    expect([gate.ask(), gate.ask(), gate.ask()]).toEqual([true, false, false]);
    pass(300);
    expect(wakes).toEqual([300]);
    expect([gate.ask(), gate.ask()]).toEqual([true, false]);
    pass(9_999);
    expect(wakes).toEqual([300]);
    pass(1);
    expect(wakes).toEqual([300, 10_300]);
  });

  it('never polls more often than the gap allows, however many come', () => {
    const { gate, pass, wakes } = scene();
    for (let ms = 0; ms < 3_600_000; ms += 100) {
      gate.ask();
      pass(100);
    }
    expect(wakes.length).toBeLessThanOrEqual(360);
    expect(wakes.length).toBeGreaterThan(350);
  });

  it('waits for a tracker that wants to be left alone, and stops when told to', () => {
    const { gate, pass, wakes } = scene(() => 1_060_000);
    gate.ask();
    pass(59_999);
    expect(wakes).toEqual([]);
    pass(1);
    expect(wakes).toEqual([60_000]);
    gate.ask();
    gate.stop();
    pass(60_000);
    expect(wakes).toEqual([60_000]);
    expect(gate.ask()).toBe(true);
  });
});
