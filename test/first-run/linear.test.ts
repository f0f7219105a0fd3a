import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { branches, git } from '../e2e/cli/git.ts';
import { FAKE_KEY, FakeLinear } from '../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../fakes/linear/store.ts';
import { DOORS } from './agents.ts';
import { filesWith, makeRemote, openNewcomer } from './newcomer.ts';

/** The mock agent writes notes, whatever the issue asks for. */
const CHECK = 'test -d notes';

test.each(DOORS)('Linear and the mock agent deliver the first issue by %s', async (door) => {
  const fake = await FakeLinear.start();
  onTestFinished(() => fake.finish());
  const newcomer = openNewcomer();
  const remote = makeRemote(newcomer);
  newcomer.env['LINEAR_API_KEY'] = FAKE_KEY;
  const printed = await newcomer.init(
    ...['--agent', 'mock', '--repo', remote.typed, '--verify', CHECK, '--tracker', 'linear'],
    ...['--endpoint', fake.url, '--project', `https://linear.app/acme/project/${PROJECT_SLUG}/overview`],
  );
  expect(printed).toContain('(move an issue of the project to Todo)');
  const workflow = readFileSync(join(newcomer.folder, 'WORKFLOW.md'), 'utf8');
  // As the team has them, not as Linear has them for a new team.
  expect(workflow).toContain(
    '  active_states: [Todo, In Progress]\n  inactive_states: [Backlog, Human Review]\n  terminal_states: [Done, Cancelled]\n',
  );
  const script = `\`\`\`mock\npush: ${door === 'tools' ? 'tool' : 'git'}\n\`\`\``;
  const issue = fake.store.addIssue({ title: 'Greet people', description: script, state: 'Todo' });

  const run = await newcomer.workOnce();
  const identifier = `ENG-${issue.number}`;
  expect(run).toMatchObject({ issue_identifier: identifier, outcome: 'delivered', pushed: true });
  expect(branches(remote.path)).toEqual([run.branch, 'main']);
  expect(git(remote.path, 'log', '-1', '--format=%s', `${run.branch}`)).toContain('Greet people');
  const state = fake.store.states.find(({ id }) => id === issue.stateId);
  expect(state?.name).toBe('Human Review');
  const shown = await newcomer.aiops('runs', 'show', run.run_id);
  expect(shown.stdout).toContain(`Verified with \`${CHECK}\`: exit code 0`);
  expect(filesWith(newcomer.home, [FAKE_KEY])).toEqual([]);
});
