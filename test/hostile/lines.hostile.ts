import { expect, test } from 'vitest';
import type { Runner } from '../../src/runners/runner.ts';
import { RUNNERS, surviveLines } from './hostile-lines.ts';

const LINES = Number(process.env['HOSTILE_LINES'] ?? 100_000);
/** Sessions share the lines, so that a turn that a mutation ended early is not all there is. */
const SESSIONS = 10;

async function surviveAll(create: (seed: number, count: number) => Runner): Promise<void> {
  expect(LINES).toBeGreaterThanOrEqual(SESSIONS);
  for (let session = 0; session < SESSIONS; session += 1) {
    const count = Math.ceil(LINES / SESSIONS);
    await surviveLines(create(session + 1, count), count, 600_000);
  }
}

test.each(Object.entries(RUNNERS))('%s: the process lives through mutated protocol lines', (_, create) =>
  surviveAll(create),
);
