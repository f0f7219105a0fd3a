import { expect, onTestFinished, test } from 'vitest';
import { branches, git } from '../e2e/cli/git.ts';
import { FAKE_TOKEN, startFakeGithub } from '../fakes/github/server.ts';
import { DOORS } from './agents.ts';
import { filesWith, makeRemote, openNewcomer } from './newcomer.ts';

/** The mock agent writes notes, whatever the issue asks for. */
const CHECK = 'test -d notes';

test.each(DOORS)('GitHub and the mock agent deliver the first issue by %s', async (door) => {
  const fake = await startFakeGithub();
  onTestFinished(() => fake.finish());
  const newcomer = openNewcomer();
  const remote = makeRemote(newcomer);
  newcomer.env['GITHUB_TOKEN'] = FAKE_TOKEN;
  const github = ['--tracker', 'github', '--endpoint', fake.origin, '--project', 'octo/app'];
  const printed = await newcomer.init(
    ...['--agent', 'mock', '--repo', remote.typed, '--verify', CHECK],
    ...github,
  );
  expect(printed).toContain('created aiops/todo');
  const script = `\`\`\`mock\npush: ${door === 'tools' ? 'tool' : 'git'}\npull_request: true\n\`\`\``;
  const issue = fake.store.add({
    title: 'Greet people',
    body: script,
    labels: ['aiops/todo'],
    association: 'OWNER',
  });

  const run = await newcomer.workOnce();
  expect(run).toMatchObject({ issue_identifier: `#${issue.number}`, outcome: 'delivered', pushed: true });
  expect(branches(remote.path)).toEqual([`ai/${issue.number}`, 'main']);
  expect(git(remote.path, 'log', '-1', '--format=%s', `ai/${issue.number}`)).toContain('Greet people');
  const pulls = [...fake.store.issues.values()].filter(({ pull }) => pull?.head === `ai/${issue.number}`);
  expect(pulls).toEqual([
    expect.objectContaining({ title: expect.stringContaining('Greet people'), closed: false }),
  ]);
  expect(run.pull_request_url).toContain(`/pull/${pulls[0]?.number}`);
  expect(issue.labels).toEqual(['aiops/human-review']);
  const shown = await newcomer.aiops('runs', 'show', run.run_id);
  expect(shown.stdout).toContain(`Verified with \`${CHECK}\`: exit code 0`);
  expect(filesWith(newcomer.home, [FAKE_TOKEN])).toEqual([]);
});
