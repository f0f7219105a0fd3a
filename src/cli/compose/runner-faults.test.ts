import { expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Config } from '../../config/config.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import { runnerFaults } from './runner-faults.ts';

const { config } = evaluateWorkflow(
  '---\ntracker: {kind: local}\nagent: {default: mock, max_turns: 9, timeout: 1h, ' +
    'profiles: {claude: {max_turns: 2, timeout: 5m, claude: {model: opus}}, other: {}}}\n---\n',
  { file: '/f/WORKFLOW.md', environment: {} },
);

it('finds nothing wrong with agents that can be made', async () => {
  expect(await runnerFaults(config)).toEqual([]);
});

it('names each profile whose agent cannot be made, besides the default', async () => {
  const profiles = config.agent.profiles.map((profile) => ({
    ...profile,
    agent: { ...profile.agent, kind: 'wizard' },
  }));
  const broken: Config = { ...config, agent: { ...config.agent, profiles } };
  const faults = await runnerFaults(broken);
  expect(faults).toHaveLength(2);
  expect(faults[0]).toMatch(/^agent\.profiles\.claude: There is no runner of kind "wizard"/);
  expect(faults[1]).toMatch(/^agent\.profiles\.other: /);
});

it('gives a run the settings of its profile, and no other profile', () => {
  expect(runSettings(config)).toMatchObject({
    agent: { kind: 'mock', command: '', budgets: { run: { turns: 9 } } },
  });
  const settings = runSettings(config, 'claude');
  expect(settings).toMatchObject({
    agent: { kind: 'claude', timeoutMs: 300_000, profiles: [], options: { model: 'opus' } },
  });
  expect(() => runSettings(config, 'gone')).toThrow('there is no profile gone');
});
