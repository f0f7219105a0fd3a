import { expect, it } from 'vitest';
import { isProgress, pushFailed, type RunEvent } from './run-event.ts';

const phase = (detail: string | null): RunEvent => ({ type: 'phase', phase: 'PreparingWorkspace', detail });

it.each([
  [phase('cloning: counting objects 5%'), true],
  [phase('checking out: updating files 100%'), true],
  [phase('fetching'), false],
  [phase(null), false],
])('tells how far something is from what happened: %j', (event, expected) => {
  expect(isProgress(event)).toBe(expected);
});

it('keeps the end of what a remote said to a failed push, in bounds', () => {
  const remoteLines = [...Array.from({ length: 90 }, (_, index) => `line ${index}`), 'x'.repeat(5_000)];
  const event = pushFailed({ code: 'rejected', message: 'm'.repeat(5_000), remoteLines });
  expect(event.remoteLines).toHaveLength(40);
  expect(event.remoteLines[0]).toBe('line 51');
  expect(event.remoteLines.at(-1)).toHaveLength(300);
  expect(event.message).toHaveLength(1000);
});
