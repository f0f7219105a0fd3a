import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { LiveActivity } from './live-activity.ts';

const agent = (event: AgentEvent) => ({ type: 'agent', event }) as const;
const line = (text: string) => agent({ type: 'activity', kind: 'message', text });

test('shows the last of what a run reported, and counts every change', () => {
  const activity = new LiveActivity();
  const before = activity.view;
  activity.note('r', { type: 'phase', phase: 'PreparingWorkspace', detail: 'cloning 12%' }, 1);
  activity.note(
    'r',
    agent({ type: 'session_started', sessionId: 's', pid: 7, model: null, resumed: false }),
    2,
  );
  activity.note('r', agent({ type: 'turn_started', turn: 1, turnId: 't1' }), 3);
  activity.note('r', line('reads the code'), 4);
  expect(activity.view.revision).toBe(before.revision + 4);
  expect(activity.view.of('r')).toEqual({
    phaseDetail: 'cloning 12%',
    lastEvent: 'activity',
    lastEventAt: 4,
    lastMessage: 'reads the code',
    turnId: 't1',
    pid: 7,
  });
  expect(activity.view.of('other')).toMatchObject({ lastEvent: null, lastMessage: null });
});

test('tells once when agents were heard; a push that failed is no word of the agent', () => {
  const activity = new LiveActivity();
  activity.note('r', line('one'), 1);
  activity.note('r', line('two'), 5);
  activity.note('q', { type: 'push_failed', code: 'rejected', message: 'no', remoteLines: [] }, 6);
  expect(activity.takeHeard()).toEqual(new Map([['r', 5]]));
  expect(activity.takeHeard()).toBeNull();
  expect(activity.view.of('r')).toMatchObject({ lastMessage: 'two', lastEventAt: null });
  expect(activity.view.of('q').lastMessage).toBe('push failed: no');
});

test('keeps nothing of a run that is over', () => {
  const activity = new LiveActivity();
  activity.note('r', line('one'), 1);
  activity.forget('r');
  expect([activity.view.of('r').lastMessage, activity.takeHeard()]).toEqual([null, null]);
});
