import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../src/observability/logger.ts';
import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import { createApp } from '../../src/server/app.ts';
import { listen } from '../../src/server/listen/listen.ts';
import { createTracker } from '../../src/trackers/registry.ts';
import { createFixture as createRunnerFixture } from '../contracts/runner-fixture.ts';
import { fakeCodexSettings } from '../fakes/codex/settings.ts';
import { evaluateWorkflow } from '../fakes/workflow-file.ts';
import { scriptedSource } from './server/state-fixture.ts';
import { createFixture, issueOf, never } from './workspaces/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'failures-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it worked',
    (error) => error.code,
  );

function configured(frontMatter: string): ReturnType<typeof evaluateWorkflow> {
  return evaluateWorkflow(`---\n${frontMatter}\n---\nGo.`, {
    file: join(folder, 'WORKFLOW.md'),
    environment: { HOME: folder, LINEAR_API_KEY: 'dummy' },
  });
}

async function workspaceFailure(): Promise<unknown> {
  const fixture = createFixture();
  try {
    const repo = { ...fixture.repo, cloneUrl: join(fixture.base, 'nothing-here.git') };
    return await codeOf(fixture.prepare(fixture.workspaces(), issueOf('ENG-1'), repo));
  } finally {
    fixture.dispose();
  }
}

async function agentFailure(): Promise<unknown> {
  const fixture = createRunnerFixture();
  try {
    const codex = fakeCodexSettings('happy', { command: '/nowhere/codex app-server' });
    return await codeOf(createCodexRunner({ codex }).start(fixture.input(), never));
  } finally {
    fixture.dispose();
  }
}

/** One failure to reach the tracker and one to open a port that somebody else has. */
async function outsideFailures(): Promise<readonly unknown[]> {
  const other = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const linear = `tracker: {kind: linear, project_slug: door, endpoint: "http://127.0.0.1:${port}/graphql"}`;
    const tracker = await createTracker(configured(linear).config.tracker, { logger: silentLogger });
    const app = createApp(scriptedSource());
    return [
      await codeOf(tracker.fetchIssuesByStates(['Todo'], never)),
      await codeOf(listen({ app, host: '127.0.0.1', port, logger: silentLogger })),
    ];
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

test('a failure says whether it is of the workflow, a workspace, the agent, the tracker or the display (R-14.1-a)', async () => {
  const workflow = configured('tracker: {kind: local\nagent: [').problems[0]?.code;
  const [tracker, display] = await outsideFailures();
  expect({
    workflow,
    workspace: await workspaceFailure(),
    agent: await agentFailure(),
    tracker,
    display,
  }).toEqual({
    workflow: 'workflow_parse_error',
    workspace: 'git_failed',
    agent: 'agent_not_found',
    tracker: 'tracker_status',
    display: 'server_bind_failed',
  });
});
