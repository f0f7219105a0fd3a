import { describe, expect, it } from 'vitest';
import { SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import { whyNotPolling } from './readiness.ts';

const INTERVAL = 30_000;

function why(driver: SchedulerFixture): string | null {
  return whyNotPolling(driver.state, driver.settings, driver.now);
}

function fail(driver: SchedulerFixture, retryAfterMs: number | null): SchedulerFixture {
  driver.send({ type: 'poll_requested' });
  return driver.send({ type: 'candidates_failed', failure: { message: 'slow down', retryAfterMs } });
}

describe('whether a worker polls', () => {
  it('it does before its first poll, and between polls', () => {
    const driver = new SchedulerFixture().start();
    expect(why(driver)).toBeNull();
    expect(why(driver.list().advance(INTERVAL))).toBeNull();
  });

  it('it does not while the next poll is put off by far more than the interval, and says why and until when', () => {
    const driver = fail(new SchedulerFixture().start().list(), 3_600_000);
    expect(why(driver)).toBe(
      'the next poll is put off for another 3600 s, as the tracker asks (aiops status says more)',
    );
    expect(why(driver.advance(3_599_000))).toContain('put off for another 1 s');
    expect(why(driver.send({ type: 'poll_requested' }).list())).toBeNull();
  });

  it('it does not when no poll has succeeded for a few intervals', () => {
    const driver = fail(new SchedulerFixture().start().list(), null);
    expect(why(driver)).toBeNull();
    for (let n = 0; n < 5; n += 1) fail(driver.advance(INTERVAL), null);
    expect(why(driver)).toBeNull();
    expect(why(fail(driver.advance(INTERVAL), null))).toBe(
      'no poll has succeeded for 180 s (aiops status says why)',
    );
    expect(why(driver.send({ type: 'poll_requested' }).list())).toBeNull();
  });

  it('it does not while it is shutting down', () => {
    expect(why(new SchedulerFixture().start().list().send({ type: 'shutdown' }))).toBe(
      'the worker is shutting down',
    );
  });

  it('a wish to wait a little longer than the interval is obeyed and nothing to report', () => {
    expect(why(fail(new SchedulerFixture().start().list(), 2 * INTERVAL))).toBeNull();
  });
});
