import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FAKE_TOKEN as GITHUB_TOKEN, startFakeGithub } from '../../fakes/github/server.ts';
import { FakeLinear, FAKE_KEY as LINEAR_KEY } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import type { Fixture } from '../cli/fixture.ts';
import { waitFor } from '../cli/wait.ts';
import { openFixture, startWorker } from '../cli/worker-fixture.ts';
import { hasTmux } from '../tui/tmux.ts';
import { openProject, type Project } from './project.ts';
import { startRegistry } from './registry.ts';
import { commandsOf, typeAll } from './type-all.ts';

/** Each of these commands needs more than a project: a registry, a forge, a terminal, a minute. */
const LONG_MS = 6 * 60_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SECRET = 'dummy-webhook-secret-of-a-test';

/** What npm would otherwise do to this machine. */
function npmSettings({ directory }: Fixture): Record<string, string> {
  return {
    npm_config_prefix: join(directory, 'prefix'),
    npm_config_cache: join(directory, 'npm-cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

describe('what the pages say about npm', () => {
  it('builds, links and tries the program in this repository', { timeout: LONG_MS }, async () => {
    const fixture = await openFixture();
    await mkdir(join(fixture.directory, 'prefix', 'lib'), { recursive: true });
    const settings = { ...npmSettings(fixture), npm_config_offline: 'true' };
    const commands = commandsOf('checkout');
    expect(commands.length).toBe(2);
    await typeAll(await openProject(fixture, {}, { folder: ROOT, env: settings }), commands);
    const linked = await (await openProject(fixture, {}, { env: settings })).type(
      '"$npm_config_prefix/bin/aiops" --version',
    );
    expect(linked).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('installs what is optional', { timeout: LONG_MS }, async () => {
    const fixture = await openFixture();
    const env = { ...npmSettings(fixture), npm_config_registry: await startRegistry() };
    await mkdir(join(fixture.directory, 'prefix', 'lib'), { recursive: true });
    const commands = commandsOf('registry');
    expect(commands.length).toBe(3);
    await typeAll(await openProject(fixture, {}, { env }), commands);
    const installed = (...path: string[]) => existsSync(join(fixture.directory, ...path, 'package.json'));
    expect(installed('node_modules', '@anthropic-ai', 'claude-agent-sdk')).toBe(true);
    for (const name of ['@anthropic-ai/claude-agent-sdk', '@opentelemetry/exporter-trace-otlp-http'])
      expect(installed('prefix', 'lib', 'node_modules', name)).toBe(true);
  });
});

it('shows the demo, to its end and until it is interrupted', { timeout: LONG_MS }, async () => {
  const fixture = await openFixture();
  const commands = commandsOf('demo');
  expect(commands.length).toBe(2);
  await typeAll(await openProject(fixture), commands);
  await waitFor('nothing is left running', () => fixture.processes().length === 0);
});

describe('where the issues are on a server', () => {
  async function onGithub(): Promise<Fixture> {
    const fake = await startFakeGithub();
    onTestFinished(() => fake.finish());
    const fixture = await openFixture({
      tracker: { kind: 'github', endpoint: fake.origin, path: undefined },
      repo: { owner: 'octo', name: 'app' },
      server: { webhooks: { secret: '$AIOPS_WEBHOOK_SECRET' } },
    });
    return { ...fixture, env: { ...fixture.env, GITHUB_TOKEN, AIOPS_WEBHOOK_SECRET: SECRET } };
  }

  async function onLinear(): Promise<Fixture> {
    const fake = await FakeLinear.start();
    onTestFinished(() => fake.finish());
    const fixture = await openFixture({
      tracker: { kind: 'linear', endpoint: fake.url, path: undefined, project_slug: PROJECT_SLUG },
      server: { webhooks: { secret: '$AIOPS_WEBHOOK_SECRET' } },
    });
    return { ...fixture, env: { ...fixture.env, LINEAR_API_KEY: LINEAR_KEY, AIOPS_WEBHOOK_SECRET: SECRET } };
  }

  it('makes the labels of a repository', async () => {
    const commands = commandsOf('forge');
    expect(commands.length).toBe(2);
    const project = await openProject(await onGithub());
    await typeAll(project, commands);
    expect(await project.type('aiops labels sync')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^All \d+ state labels are there\.\n$/),
    });
  });

  it.each([
    ['github', onGithub],
    ['linear', onLinear],
  ] as const)('sends %s webhooks that the worker takes', async (place, open) => {
    const fixture = await open();
    const worker = await startWorker(fixture);
    const project = await openProject(fixture, { '127.0.0.1:4000': new URL(worker.url).host });
    const [command, ...others] = commandsOf(place);
    expect(others).toEqual([]);
    const typed = await project.type(command?.text ?? '');
    expect([typed.code, JSON.parse(typed.out)]).toEqual([0, { result: 'queued' }]);
    await worker.until('the webhook is told', ({ webhooks }) => webhooks?.last?.result === 'queued');
  });
});

describe.skipIf(!hasTmux)('in a terminal', () => {
  async function look(project: Project, text: string): Promise<void> {
    const terminal = project.typeInTerminal(text);
    await terminal.until('● live');
    terminal.type('q');
    expect([text, await terminal.ended()]).toEqual([text, 0]);
    expect(terminal.isRestored()).toBe(true);
  }

  it('shows the board of a worker, and of one that it starts', { timeout: LONG_MS }, async () => {
    const commands = commandsOf('terminal').map(({ text }) => text);
    expect(commands.length).toBe(3);
    const isOwn = (text: string): boolean => text.startsWith('aiops worker');
    const idle = await openFixture();
    for (const text of commands.filter(isOwn)) await look(await openProject(idle), text);
    const fixture = await openFixture();
    const worker = await startWorker(fixture);
    const project = await openProject(fixture, { '127.0.0.1:4000': new URL(worker.url).host });
    for (const text of commands.filter((text) => !isOwn(text))) await look(project, text);
  });
});
