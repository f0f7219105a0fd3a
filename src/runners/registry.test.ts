import { expect, test } from 'vitest';
import { evaluateWorkflow } from '../config/read/evaluate.ts';
import { createRunner, RUNNER_KINDS, type RunnerSettings } from './registry.ts';

function defaults(): RunnerSettings {
  const source = '---\ntracker: {kind: local}\nhooks: {after_create: "true"}\n---\nDo it.';
  const { config } = evaluateWorkflow(source, {
    file: '/flows/WORKFLOW.md',
    environment: { HOME: '/home/me' },
  });
  if (config === null) throw new Error('the workflow does not load');
  return config;
}

const settings = defaults();

test.each(RUNNER_KINDS)('%s makes a runner of its own kind', async (kind) => {
  expect((await createRunner(kind, settings)).kind).toBe(kind);
});

test.each(['', 'Mock', 'nothing', 'constructor', '__proto__'])(
  '%j is refused with the kinds there are',
  async (kind) => {
    await expect(createRunner(kind, settings)).rejects.toMatchObject({
      name: 'AppError',
      message: `There is no runner of kind ${JSON.stringify(kind)}.`,
      hint: expect.stringContaining('mock'),
    });
  },
);
