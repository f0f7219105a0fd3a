import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { git } from '../cli/git.ts';
import { waitFor } from '../cli/wait.ts';
import { openFixture, startWorker } from '../cli/worker-fixture.ts';
import { documentedCommands } from './documented-commands.ts';
import { furnish, haveHistory, openProject } from './project.ts';
import { commandsOf, expectCode, typeAll } from './type-all.ts';
import { WAYS } from './ways.ts';

/** A start of the program takes a second on a busy machine. */
const MANY_COMMANDS_MS = 6 * 60_000;

it('has a reason for every command that is not run, and none for what no page has', () => {
  const texts = new Set(documentedCommands().map(({ text }) => text));
  expect(Object.keys(WAYS).filter((text) => !texts.has(text))).toEqual([]);
  expect(commandsOf('idle').length).toBeGreaterThan(40);
});

it('runs what is typed beside a project, as it stands', { timeout: MANY_COMMANDS_MS }, async () => {
  const fixture = await openFixture();
  await furnish(fixture);
  const bare = await openProject(fixture);
  const run = await haveHistory(fixture, bare);
  await fixture.writeIssue('TASK-2');
  const project = await openProject(fixture, {
    r1a2: run,
    r8k2: run,
    '--port 4100': '--port 0',
    // Beside the project is the folder of other tests.
    '../eng-1': './eng-1',
  });
  await typeAll(
    project,
    commandsOf('idle').filter(({ output }) => output === null),
  );
  await fixture.writeIssue('TASK-1');
  await typeAll(project, commandsOf('long'));
  await waitFor('nothing is left running', () => fixture.processes().length === 0);
});

it('runs what is typed while a worker is at work', { timeout: MANY_COMMANDS_MS }, async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 1 } });
  await furnish(fixture);
  await fixture.writeIssue('TASK-1', { mock: { behaviour: 'hang', when: 'after_commit' } });
  await fixture.writeIssue('ENG-7', { mock: { behaviour: 'ask' }, priority: 1 });
  const worker = await startWorker(fixture);
  await worker.untilRunning('TASK-1', ({ last_message }) => last_message.startsWith('Committed'));
  const address = new URL(worker.url).host;
  const project = await openProject(fixture, { '127.0.0.1:4000': address, 'shop-*': '*' });
  const commands = commandsOf('working', 'following');
  const acting = commands.filter(({ text }) => /^aiops (stop|push|retry|unblock) /.test(text));
  await typeAll(
    project,
    commands.filter((command) => !acting.includes(command)),
  );
  const isHeld = ({ blocked }: StateSnapshot): boolean =>
    blocked.some((row) => row.issue_identifier === 'TASK-1');
  let isStopped = false;
  for (const command of acting) {
    const stops = command.text.startsWith('aiops stop');
    // Each but the stop itself is about an issue that is held.
    if (!isStopped) await worker.untilRunning('TASK-1');
    if (!isStopped && !stops) expect((await project.type('aiops stop TASK-1')).code).toBe(0);
    if (!stops) await worker.until('TASK-1 is held', isHeld);
    await typeAll(project, [command]);
    isStopped = stops || command.text.startsWith('aiops push');
  }
});

it('sets a new project up as the pages say', async () => {
  const fixture = await openFixture();
  const folder = join(fixture.env['HOME'] ?? '', 'my-project');
  await mkdir(folder, { recursive: true });
  git(folder, 'clone', '-q', fixture.remote, 'project');
  const project = await openProject(fixture);
  for (const [index, command] of commandsOf('fresh').entries()) {
    const place = join(folder, `place-${index}`);
    git(folder, 'clone', '-q', fixture.remote, place);
    const here = await openProject(fixture, {}, { folder: place });
    await typeAll(command.text.startsWith('cd ') ? project : here, [command]);
  }
});

it('prints what the page of the local tracker shows', async () => {
  const fixture = await openFixture();
  const project = await openProject(fixture);
  const shown = documentedCommands().filter(({ file }) => file === 'docs/trackers/local.md');
  expect(shown.length).toBeGreaterThan(5);
  for (const command of shown) {
    const typed = await project.type(command.text);
    expectCode(command, typed, 0);
    if (command.output !== null)
      expect(typed.out.replaceAll(fixture.directory, '/srv/app')).toBe(command.output);
  }
});

it('explains which agent each issue gets, as the page of profiles shows', async () => {
  const fixture = await openFixture();
  const project = await openProject(fixture);
  await writeFile(
    fixture.workflowPath,
    `---
tracker: {kind: local, path: issues, active_states: [Todo, Rework]}
agent:
  default: codex-app-server
  max_concurrent_agents: 3
  profiles:
    claude: {default: claude}
    careful: {states: [Rework]}
    bulk: {}
---
Do {{ issue.title }}.
`,
  );
  await fixture.writeIssue('TASK-1', { title: 'Fix the door', priority: 1, labels: ['agent:claude'] });
  await fixture.writeIssue('TASK-2', { title: 'Oil the hinge', state: 'Rework' });
  await fixture.writeIssue('TASK-3', { title: 'Paint the frame', labels: ['agent:gpt'] });
  const [page] = documentedCommands().filter(({ file }) => file === 'docs/profiles.md');
  const typed = await project.type(page?.text ?? '');
  expect(typed.out).toContain(page?.output ?? 'nothing is shown');
});
