import { expect, test } from 'vitest';
import { createRunner, RUNNER_KINDS } from './registry.ts';

test.each(RUNNER_KINDS)('%s makes a runner of its own kind', async (kind) => {
  expect((await createRunner(kind)).kind).toBe(kind);
});

test.each(['', 'Mock', 'nothing', 'constructor', '__proto__'])(
  '%j is refused with the kinds there are',
  async (kind) => {
    await expect(createRunner(kind)).rejects.toMatchObject({
      name: 'AppError',
      message: `There is no runner of kind ${JSON.stringify(kind)}.`,
      hint: expect.stringContaining('mock'),
    });
  },
);
