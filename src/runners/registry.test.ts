import { expect, test } from 'vitest';
import { evaluateWorkflow } from '../../test/fakes/workflow-file.ts';
import type { Config } from '../config/config.ts';
import { agentKind, createRunner, RUNNER_KINDS } from './registry.ts';

function defaults(): Config {
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
  const options = settings.agents[agentKind(kind).section] ?? {};
  const agent = { ...settings.agent, kind, options };
  expect((await createRunner(kind, { ...settings, agent })).kind).toBe(kind);
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
