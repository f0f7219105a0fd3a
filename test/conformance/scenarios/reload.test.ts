import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '../../../src/domain/tool.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createTracker } from '../../../src/trackers/registry.ts';
import { makeIssue } from '../../fakes/scheduler-fixture.ts';
import { FakeTracker } from './fake-tracker.ts';
import { WorkerFixture } from './worker-fixture.ts';
import { configOf } from './workflow.ts';

const a = makeIssue('a', { nativeRef: { number: 7, repository: 'acme/door' } });
const b = makeIssue('b');
const BEFORE =
  'workspace: {root: /one}\nhooks: {before_run: make one, timeout_ms: 1000}\nagent: {default: mock, max_turns: 2}';
const AFTER = [
  'workspace: {root: /two}',
  'hooks: {before_run: make two, timeout_ms: 2000}',
  'agent: {default: mock, max_turns: 9}',
  'codex: {command: other app-server}',
  'polling: {interval_ms: 5000}',
].join('\n');

async function startRun(frontMatter = BEFORE): Promise<WorkerFixture> {
  const tracker = new FakeTracker('first_tool');
  tracker.put(a);
  return new WorkerFixture(frontMatter, tracker).start();
}

describe('a reload', () => {
  it('is followed by all future work: prompt, hooks, timeouts, roots, agent, turns and cadence (R-5.3.4-f, R-6.2-b, R-6.2-c, R-6.2-d, R-14.4-a, R-17.1-c, R-18.1-d)', async () => {
    const fixture = await startRun();
    await fixture.reload(AFTER, 'The new prompt.');
    fixture.tracker.put(b);
    await fixture.pass(30_000);
    const { spec } = fixture.run;
    expect(spec.issue.id).toBe('b');
    expect(spec.maxTurns).toBe(9);
    expect(spec.settings).toMatchObject({
      promptTemplate: 'The new prompt.',
      workspace: { root: '/two' },
      hooks: { beforeRun: ['make two'], timeoutMs: 2_000 },
      agent: { options: { command: 'other app-server' } },
    });
    const listed = fixture.tracker.calls.length;
    await fixture.pass(5_000);
    expect(fixture.tracker.calls.length).toBeGreaterThan(listed);
  });

  it('leaves a live run alone, with the settings it started with (R-6.2-e)', async () => {
    const fixture = await startRun();
    const before = structuredClone(fixture.run.spec.settings);
    await fixture.reload(AFTER, 'The new prompt.');
    await fixture.pass(60_000);
    expect(fixture.runs).toHaveLength(1);
    expect(fixture.run.channel.stop.aborted).toBe(false);
    expect(fixture.run.spec.settings).toEqual(before);
  });

  it('gives new work the tracker in force, and a live session the one it was told of (R-10.5-h, R-10.5-i, R-11.2-a)', async () => {
    const fixture = await startRun();
    const [old] = [fixture.tracker];
    const next = new FakeTracker('second_tool');
    next.put(a, b);
    const linear = `tracker: {kind: linear, project_slug: door}\n${AFTER}`;
    await fixture.reload(linear, undefined, next, { LINEAR_API_KEY: 'dummy' });
    await fixture.pass(5_000);
    const [live, fresh] = fixture.runs;
    expect([live, fresh].map((run) => run?.spec.settings.trackerKind)).toEqual(['local', 'linear']);
    expect(live?.spec.tools.map(({ name }) => name)).toEqual(['first_tool']);
    expect(fresh?.spec.tools.map(({ name }) => name)).toEqual(['second_tool']);
    const call = { name: 'first_tool', arguments: {} };
    expect(await live?.channel.callTool(call)).toEqual({ success: true, output: { by: 'first_tool' } });
    expect([old.toolCalls.length, next.toolCalls.length]).toEqual([1, 0]);
    await fresh?.channel.callTool(call);
    expect([old.toolCalls.length, next.toolCalls.length]).toEqual([1, 1]);
  });
});

describe('tools of a run', () => {
  it('are the tracker’s own, advertised with its names and schemas (R-3.1-d, R-10.5-f, R-10.5-g, R-10.5-s)', async () => {
    const fixture = await startRun();
    expect(fixture.run.spec.tools).toEqual(fixture.tracker.tools.specs);
    expect(fixture.run.spec.secretEnvironmentNames).toEqual(['FAKE_TRACKER_TOKEN']);
  });

  it('differ by adapter in name, schema and result, which reaches the agent as the adapter made it (R-10.5-j)', async () => {
    const toolsOf = async (frontMatter: string): Promise<readonly ToolSpec[]> => {
      const { tracker } = configOf(frontMatter, undefined, { LINEAR_API_KEY: 'x', GITHUB_TOKEN: 'y' });
      return (await createTracker(tracker, { logger: silentLogger })).tools.specs;
    };
    const linear = await toolsOf('tracker: {kind: linear, project_slug: door}');
    const github = await toolsOf('tracker: {kind: github}\nrepo: {clone_url: "https://github.com/a/b.git"}');
    const own = (specs: readonly ToolSpec[], name: string): ToolSpec | undefined =>
      specs.find((spec) => spec.name === name);
    expect(own(linear, 'linear_graphql')?.inputSchema['properties']).toHaveProperty('query');
    expect(own(github, 'github_api')?.inputSchema['properties']).toHaveProperty('path');
    expect([own(linear, 'github_api'), own(github, 'linear_graphql')]).toEqual([undefined, undefined]);

    const fixture = await startRun();
    const output = { data: { anything: [{ the: 'adapter' }, null, 3] } };
    fixture.tracker.tools.execute = async () => ({ success: true, output });
    const answer = await fixture.run.channel.callTool({ name: 'first_tool', arguments: {} });
    expect(answer).toEqual({ success: true, output });
  });

  it('execute in the worker and know the normalised issue with its native_ref, nothing secret (R-4.1.1-c, R-10.5-k, R-10.5-m, R-10.5-u, R-11.5-b, R-15.3-d, R-17.5-r)', async () => {
    const fixture = await startRun();
    await fixture.run.channel.callTool({ name: 'first_tool', arguments: { state: 'Done' } });
    const [made] = fixture.tracker.toolCalls;
    expect(made?.call).toEqual({ name: 'first_tool', arguments: { state: 'Done' } });
    expect(made?.context.issue).toEqual(a);
    expect(Object.keys(made?.context ?? {}).sort()).toEqual(['branch', 'followUps', 'issue', 'signal']);
  });

  it("know the run's own branch from the worker, as soon as there is a workspace", async () => {
    const fixture = await startRun();
    const call = () => fixture.run.channel.callTool({ name: 'first_tool', arguments: { branch: 'main' } });
    await call();
    fixture.run.channel.emit({ type: 'workspace', path: '/w/a', branch: 'ai/a', createdNow: true });
    await call();
    expect(fixture.tracker.toolCalls.map(({ context }) => context.branch)).toEqual([null, 'ai/a']);
  });

  it('that throw are failures the agent can read (R-10.5-t)', async () => {
    const fixture = await startRun();
    fixture.tracker.tools.execute = async () => {
      throw new Error('no connection');
    };
    expect(await fixture.run.channel.callTool({ name: 'first_tool', arguments: {} })).toEqual({
      success: false,
      error: { code: 'tool_failed', message: 'no connection' },
    });
  });

  it('what a run is told holds no tracker settings and no credential (R-1-c, R-10.5-l)', async () => {
    const environment = { LINEAR_API_KEY: 'dummy-linear-credential' };
    const tracker = new FakeTracker();
    tracker.put(a);
    const frontMatter = 'tracker: {kind: linear, project_slug: door}\nagent: {default: mock}';
    const fixture = await new WorkerFixture(frontMatter, tracker, undefined, environment).start();
    const told = JSON.stringify(fixture.run.spec);
    expect(told).toContain('"id":"a"');
    expect(told).not.toContain('dummy-linear-credential');
    expect(fixture.run.spec.settings).not.toHaveProperty('tracker');
  });
});
