import { expect, it } from 'vitest';
import { isProgress, type RunEvent } from './run-event.ts';

const phase = (detail: string | null): RunEvent => ({ type: 'phase', phase: 'PreparingWorkspace', detail });

it.each([
  [phase('cloning: counting objects 5%'), true],
  [phase('checking out: updating files 100%'), true],
  [phase('fetching'), false],
  [phase(null), false],
])('tells how far something is from what happened: %j', (event, expected) => {
  expect(isProgress(event)).toBe(expected);
});
