import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import { DOWN, ENTER, type InitFixture, openInitFixture } from './fixture.ts';

async function openWithLinear(): Promise<{
  fixture: InitFixture;
  fake: FakeLinear;
  flags: readonly string[];
}> {
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const fixture = openInitFixture();
  fixture.makeRepository();
  fixture.environment['LINEAR_API_KEY'] = FAKE_KEY;
  const flags = ['--tracker', 'linear', '--endpoint', fake.url, '--agent', 'mock', '--no-verify'];
  return { fixture, fake, flags };
}

const workflowOf = ({ folder }: InitFixture): string => readFileSync(join(folder, 'WORKFLOW.md'), 'utf8');

test('the states of the team are offered, and what is chosen is in the file and in the prompt', async () => {
  const { fixture, flags } = await openWithLinear();
  const { code, stdout } = await fixture.answer(flags, [
    ['Address of the Linear project', `https://linear.app/acme/project/${PROJECT_SLUG}/overview${ENTER}`],
    ['In which state does an agent take an issue?', `${DOWN}${ENTER}`],
    ['Where does the agent put it when its work is done?', ENTER],
  ]);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('(move an issue of the project to Backlog)'),
  });
  const text = workflowOf(fixture);
  expect(text).toContain('active_states: [Backlog, In Progress]');
  expect(text).toContain('inactive_states: [Todo, Human Review]');
  expect(text).toContain('Move the issue to `Human Review`');
});

test('a project that the token does not see is an error that names its flag, and nothing is written', async () => {
  const { fixture, fake, flags } = await openWithLinear();
  fake.store.projectHidden = true;
  const { code, stderr } = await fixture.init(...flags, '--project', PROJECT_SLUG);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Check --project') });
  expect(existsSync(join(fixture.folder, 'WORKFLOW.md'))).toBe(false);
});

test('a state that the team does not have is an error with the one that was meant', async () => {
  const { fixture, flags } = await openWithLinear();
  const { code, stderr } = await fixture.init(
    ...flags,
    '--project',
    PROJECT_SLUG,
    '--review-state',
    'Humn Review',
  );
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean Human Review?'),
  });
});

test('without a token, or offline, the usual states are written and Linear is not asked', async () => {
  const { fixture, fake, flags } = await openWithLinear();
  delete fixture.environment['LINEAR_API_KEY'];
  expect((await fixture.init(...flags, '--project', PROJECT_SLUG)).stdout).toContain(
    'export LINEAR_API_KEY=',
  );
  fixture.environment['LINEAR_API_KEY'] = FAKE_KEY;
  await fixture.init(...flags, '--project', PROJECT_SLUG, '--offline', '--force');
  expect(workflowOf(fixture)).toContain('inactive_states: [Backlog, In Review]');
  expect(fake.requests).toEqual([]);
});

test('a Linear that does not answer is told, and the usual states are written', async () => {
  const { fixture, fake, flags } = await openWithLinear();
  fake.failOn(/ProjectStates/, { kind: 'answer', status: 401, body: '{}' });
  const { code, stderr } = await fixture.init(...flags, '--project', PROJECT_SLUG);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The usual ones are written.'),
  });
  expect(workflowOf(fixture)).toContain('active_states: [Todo, In Progress]');
});
