import { test } from 'vitest';
import { RUNNERS, surviveLines } from '../../hostile/hostile-lines.ts';

const LINES = 1_500;

test.each(Object.entries(RUNNERS))('%s: mutated protocol lines end a run at worst', async (_, create) => {
  await surviveLines(create(42, LINES), LINES, 60_000);
});
