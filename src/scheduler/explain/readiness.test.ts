import { describe, expect, it } from 'vitest';
import { SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import { whyNotPolling } from './readiness.ts';

const INTERVAL = 30_000;

function why(fixture: SchedulerFixture): string | null {
  return whyNotPolling(fixture.state, fixture.settings, fixture.now);
}

function fail(fixture: SchedulerFixture, retryAfterMs: number | null): SchedulerFixture {
  fixture.send({ type: 'poll_requested' });
  return fixture.send({ type: 'candidates_failed', failure: { message: 'slow down', retryAfterMs } });
}

describe('whether a worker polls', () => {
  it('it does before its first poll, and between polls', () => {
    const fixture = new SchedulerFixture().start();
    expect(why(fixture)).toBeNull();
    expect(why(fixture.list().advance(INTERVAL))).toBeNull();
  });

  it('it does not while the next poll is put off by far more than the interval, and says why and until when', () => {
    const fixture = fail(new SchedulerFixture().start().list(), 3_600_000);
    expect(why(fixture)).toBe(
      'the next poll is put off for another 3600 s, as the tracker asks (aiops status says more)',
    );
    expect(why(fixture.advance(3_599_000))).toContain('put off for another 1 s');
    expect(why(fixture.send({ type: 'poll_requested' }).list())).toBeNull();
  });

  it('it does not when no poll has succeeded for a few intervals', () => {
    const fixture = fail(new SchedulerFixture().start().list(), null);
    expect(why(fixture)).toBeNull();
    for (let n = 0; n < 5; n += 1) fail(fixture.advance(INTERVAL), null);
    expect(why(fixture)).toBeNull();
    expect(why(fail(fixture.advance(INTERVAL), null))).toBe(
      'no poll has succeeded for 180 s (aiops status says why)',
    );
    expect(why(fixture.send({ type: 'poll_requested' }).list())).toBeNull();
  });

  it('it does not while it is shutting down', () => {
    expect(why(new SchedulerFixture().start().list().send({ type: 'shutdown' }))).toBe(
      'the worker is shutting down',
    );
  });

  it('a request to wait a little longer than the interval is obeyed and nothing to report', () => {
    expect(why(fail(new SchedulerFixture().start().list(), 2 * INTERVAL))).toBeNull();
  });
});
