import { describe, expect, it } from 'vitest';
import { makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import { retryReasons } from './explain.ts';

const a = makeIssue('a');

/** `a` has failed once and is due again; with `busy` another issue has the only slot. */
function due(settings: Partial<SchedulerSettings> = {}, busy = true): SchedulerFixture {
  const fixture = new SchedulerFixture({ maxConcurrentAgents: 1, ...settings }).start().list(a);
  fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'it broke' });
  if (busy) fixture.poll([a], [a, makeIssue('b')]);
  return fixture.advance(3_600_000);
}

function reasonOf({ state, settings, now }: SchedulerFixture): string | null {
  const claim = state.claims.get('a');
  if (claim === undefined) throw new Error('a is not claimed');
  return retryReasons(state, settings, now)(claim)?.reason ?? null;
}

describe('why a retry that is due does not run', () => {
  it('it is not due', () => {
    expect(reasonOf(due().advance(-3_599_999))).toBeNull();
  });

  it('no slot is free', () => {
    expect(reasonOf(due())).toBe('waiting for a slot (1 of 1 in use)');
  });

  it('somebody paused the worker', () => {
    expect(reasonOf(due().send({ type: 'operator', action: { kind: 'pause', by: 'me' } }))).toBe('paused');
  });

  it('the set-up is broken', () => {
    const fixture = due();
    fixture.settings = { ...fixture.settings, preflightErrors: ['no key'] };
    expect(reasonOf(fixture)).toBe('dispatch is off: no key');
  });

  it('the worker shuts down', () => {
    expect(reasonOf(due().send({ type: 'shutdown' }))).toBe('the worker is shutting down');
  });

  it('it is looked at once more', () => {
    const fixture = due({}, false).send({ type: 'timer_fired', key: 'retry:a' });
    expect(fixture.phase('a')).toBe('checking');
    expect(reasonOf(fixture)).toBe('about to start: its state is being confirmed');
  });
});
