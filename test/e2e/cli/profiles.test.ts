import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunningRow } from '../../../src/contract/claim-rows.ts';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import { fakeCodexCommand } from '../../fakes/codex/settings.ts';
import { startCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { openFixture, startWorker, type WorkerProcess } from './worker-fixture.ts';

const HANGING = { mock: { behaviour: 'hang' } };
const hasSession = (row: RunningRow): boolean => row.session_id !== '';

/** The mock agent by default, and a Codex that works on and on for the label `agent:codex`. */
async function fixtureWithCodex(): Promise<{ fixture: Fixture; requests: () => Promise<readonly string[]> }> {
  const bare = await openFixture();
  const fixture = { ...bare, env: { ...bare.env, ONLY_FOR_CODEX: 'yes' } };
  const record = join(fixture.directory, 'codex-requests.jsonl');
  const command = fakeCodexCommand('works_slowly', '--record', record);
  await fixture.writeWorkflow({
    agent: { profiles: { codex: { codex: { command, env_passthrough: ['ONLY_FOR_CODEX'] }, max_turns: 7 } } },
  });
  return { fixture, requests: async () => (await readFile(record, 'utf8')).trim().split('\n') };
}

/** The thread of a running Codex: its session names the thread and the turn. */
async function threadOf(worker: WorkerProcess, id: string): Promise<string> {
  const row = await worker.untilRunning(
    id,
    (row) => hasSession(row) && row.agent_provider === 'codex-app-server' && row.turn_count > 0,
  );
  return row.session_id.slice(0, 36);
}

function deliveredOf(ended: readonly EndedRun[], id: string): EndedRun | null {
  return ended.find((run) => run.issue_identifier === id && run.outcome === 'delivered') ?? null;
}

/** What the agent of the issue has of the variable that only the profile passes on. */
function variableOf(fixture: Fixture, id: string): string | undefined {
  const agent = fixture.agents().find(({ environment }) => environment.get('AIOPS_ISSUE_IDENTIFIER') === id);
  if (agent === undefined) throw new Error(`${id} has no agent`);
  return agent.environment.get('ONLY_FOR_CODEX');
}

async function say(fixture: Fixture, ...args: string[]): Promise<string> {
  const cli = startCli(args, { cwd: fixture.directory, env: fixture.env });
  expect(await cli.exited).toEqual({ code: 0, signal: null });
  expect(cli.stderr()).toMatch(/^(?:aiops: worker of .*\n)?$/);
  return cli.stdout();
}

it('routes an issue by its label, resumes with the same agent after a kill, and starts afresh with another', async () => {
  const { fixture, requests } = await fixtureWithCodex();
  await fixture.writeIssue('PR-1', { labels: ['agent:codex'], priority: 1 });
  await fixture.writeIssue('PR-2', { priority: 2 });
  const first = await startWorker(fixture);
  const thread = await threadOf(first, 'PR-1');
  const row = await first.untilRunning('PR-1');
  expect(row).toMatchObject({
    agent_profile: 'codex',
    agent_reason: 'label agent:codex',
    max_turns: 7,
  });
  const delivered = await first.until('the other issue is delivered by the default agent', ({ ended }) =>
    deliveredOf(ended, 'PR-2'),
  );
  expect(delivered).toMatchObject({ agent_provider: 'mock' });
  expect(delivered.agent_profile).toBeUndefined();
  await first.end('SIGKILL');

  const second = await startWorker(fixture);
  expect(await threadOf(second, 'PR-1')).toBe(thread);
  await second.end('SIGKILL');
  const opened = (await requests()).map((line): { method?: string } => JSON.parse(line));
  expect(
    opened.map(({ method }) => method).filter((method) => /^thread\/(start|resume)$/.test(method ?? '')),
  ).toEqual(['thread/start', 'thread/resume']);

  await fixture.writeIssue('PR-1');
  const third = await startWorker(fixture);
  const last = await third.until('the default agent takes over', ({ ended }) => deliveredOf(ended, 'PR-1'));
  expect(last.agent_provider).toBe('mock');
  const { events } = await third.client.runEvents(last.run_id);
  const session = events.find(({ kind }) => kind === 'session_started');
  expect(session?.detail).toMatchObject({ resumed: false });
  expect(session?.detail['session_id']).not.toBe(thread);
  const started = third
    .log()
    .filter(({ event, issue_identifier: id }) => event === 'running' && id === 'PR-1');
  expect(started[0]?.['detail']).toContain(
    'in a new session: the last one was of codex-app-server (profile codex)',
  );
});

it('never hands the conversation of the default agent to a profile, and says what a label cannot have', async () => {
  const { fixture, requests } = await fixtureWithCodex();
  await fixture.writeIssue('PR-3', { ...HANGING, priority: 1 });
  await fixture.writeIssue('PR-4', { ...HANGING, labels: ['agent:gpt'], priority: 2 });
  const first = await startWorker(fixture);
  const { session_id: mockSession } = await first.untilRunning('PR-3', hasSession);
  const odd = await first.untilRunning('PR-4', hasSession);
  expect([odd.agent_provider, odd.agent_reason]).toEqual([
    'mock',
    'label agent:gpt chooses no profile (there are codex)',
  ]);
  const warnings = first.log().filter(({ event }) => event === 'agent_choice');
  expect(warnings).toMatchObject([
    { level: 'warn', issue_identifier: 'PR-4', detail: expect.stringContaining('agent:gpt') },
  ]);
  expect(await say(fixture, 'status', '--url', first.url)).toMatch(
    /PR-4 .*mock \(label agent:gpt chooses no profile \(there are codex\)\)/,
  );
  await first.end('SIGKILL');

  await fixture.writeIssue('PR-3', { ...HANGING, labels: ['agent:codex'] });
  const second = await startWorker(fixture);
  expect(mockSession.startsWith(await threadOf(second, 'PR-3'))).toBe(false);
  expect((await requests()).filter((line) => line.includes('thread/resume'))).toEqual([]);
  expect(await say(fixture, 'status', 'PR-3', '--url', second.url)).toMatch(
    /^Agent +codex-app-server: profile codex \(label agent:codex\)$/m,
  );
  await second.untilRunning('PR-4', hasSession);
  expect([variableOf(fixture, 'PR-3'), variableOf(fixture, 'PR-4')]).toEqual(['yes', undefined]);
  const explained = await say(fixture, 'issues', '--explain', '--workflow', fixture.workflowPath);
  expect(explained).toMatch(/PR-3 .*would run +codex-app-server: profile codex \(label agent:codex\)/);
  expect(explained).toMatch(/PR-4 .*would run +mock +Title/);
  expect(explained).toMatch(/^! PR-4: label agent:gpt chooses no profile \(there are codex\)$/m);
});

it('applies an edit of the profiles to the next run', async () => {
  const { fixture } = await fixtureWithCodex();
  const worker = await startWorker(fixture);
  await fixture.writeWorkflow({ agent: { profiles: { other: { runner: 'mock', states: ['Todo'] } } } });
  await worker.until('the edit is in force', () =>
    worker.log().some(({ msg }) => msg === 'workflow reloaded'),
  );
  await fixture.writeIssue('PR-5', { ...HANGING, labels: ['agent:codex'] });
  expect(await worker.untilRunning('PR-5', hasSession)).toMatchObject({
    agent_provider: 'mock',
    agent_profile: 'other',
    agent_reason: 'state Todo; label agent:codex chooses no profile (there are other)',
  });
});
