import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/observability/logger.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createRedactor } from '../../../src/observability/redact.ts';
import { followRuns } from '../../../src/telemetry/follow-runs.ts';
import { type OpenTracer, openTracer } from '../../../src/telemetry/open-tracer.ts';
import { RunSpans } from '../../../src/telemetry/run-spans.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../fakes/otlp/receiver.ts';
import { makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';

const SECRET = 'dummy-secret-7531';
let receiver: OtlpReceiver;
let warnings: string[];
let told: string[];
let logger: Logger;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  // Of this test alone: an export that outlives its test complains to the arrays it knew.
  const mine: string[] = [];
  const lines: string[] = [];
  warnings = mine;
  told = lines;
  logger = {
    ...silentLogger,
    info: (message) => void lines.push(message),
    warn: (message, fields) => void mine.push(`${message} ${JSON.stringify(fields)}`),
  };
});
afterEach(() => receiver.close());

const open = (url = `${receiver.url}/v1/traces`): Promise<OpenTracer> =>
  openTracer({ url, version: '1.2.3', logger, timing: { everyMs: 20, timeoutMs: 400, flushMs: 300 } });

function children(of: ReceivedSpan | undefined): readonly ReceivedSpan[] {
  return receiver.spans.filter(({ parentSpanId }) => parentSpanId === of?.spanId);
}

describe('spans', () => {
  it('hang together: run, turns, tools, with what a person may see of them', async () => {
    const tracer = await open();
    const spans = new RunSpans(tracer, (text) => createRedactor({ secrets: [SECRET] }).redact(text));
    const issue = makeIssue('a', { title: 'A title', description: 'What to do' });
    const fixture = new SchedulerFixture().advance(1_800_000_000_000).start().list(issue);
    const live = fixture.run('a');
    const agent = { ...live.agent, runner: 'codex-app-server', profile: 'careful' };
    const run = { ...live, agent, attempt: 2, retryKind: 'failure' } as const;
    const { runId } = run;
    const at = run.startedAt;
    spans.begin(run);
    spans.event(runId, at, { type: 'phase', phase: 'PreparingWorkspace', detail: null });
    const report = (ms: number, event: Parameters<SchedulerFixture['agent']>[1]) =>
      spans.event(runId, at + ms, { type: 'agent', event });
    const usage = (inputTokens: number, outputTokens: number) =>
      ({
        type: 'usage',
        usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
        costUsd: null,
      }) as const;
    report(100, { type: 'turn_started', turn: 1, turnId: null });
    report(110, { type: 'activity', kind: 'command', text: `cat ${SECRET} and a prompt` });
    report(115, usage(100, 10));
    spans.tool(runId, { name: 'issue_get', errorCode: null, startedAt: at + 120, endedAt: at + 150 });
    report(200, { type: 'turn_completed', turn: 1 });
    report(210, { type: 'turn_started', turn: 2, turnId: null });
    spans.tool(runId, {
      name: `issue_move ${SECRET}`,
      errorCode: 'not_allowed',
      startedAt: at + 220,
      endedAt: at + 230,
    });
    report(240, { type: 'unsupported_tool_call', tool: 'rm_rf' });
    report(250, usage(400, 30));
    report(300, { type: 'turn_failed', turn: 2, message: `secret words ${SECRET}` });
    fixture.advance(400).end('a', { kind: 'failed', code: 'turn_failed', message: 'secret words' }, 1);
    const ended = fixture.sent('record_run')[0]?.run;
    if (ended === undefined) throw new Error('no run was recorded');
    spans.end({
      ...ended,
      usage: { inputTokens: 400, outputTokens: 30, totalTokens: 430 },
      costUsd: 0.25,
      model: 'model-x',
    });
    await tracer.close();

    expect(receiver.problems).toEqual([]);
    expect(receiver.spans).toHaveLength(5);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    const root = receiver.spans.find(({ name }) => name === 'run');
    expect(root).toMatchObject({
      parentSpanId: null,
      failed: true,
      startMs: at,
      endMs: at + 400,
      resource: { 'service.name': 'aiops-worker', 'service.version': '1.2.3' },
      events: [{ name: 'phase', attributes: { 'aiops.run.phase': 'PreparingWorkspace' } }],
      attributes: {
        'aiops.run.id': runId,
        'aiops.issue.id': 'a',
        'aiops.issue.identifier': 'A',
        'aiops.agent.kind': 'codex-app-server',
        'aiops.agent.profile': 'careful',
        'aiops.run.attempt': 2,
        'aiops.run.retry_kind': 'failure',
        'aiops.run.outcome': 'failed',
        'error.type': 'turn_failed',
        'gen_ai.request.model': 'model-x',
        'gen_ai.usage.input_tokens': 400,
        'aiops.usage.total_tokens': 430,
        'aiops.cost_usd': 0.25,
      },
    });
    const [first, second] = children(root);
    expect(first).toMatchObject({
      name: 'turn',
      failed: false,
      attributes: {
        'aiops.turn.number': 1,
        'aiops.turn.result': 'completed',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 10,
        'aiops.turn.activities.command': 1,
        'aiops.issue.identifier': 'A',
      },
    });
    expect(second).toMatchObject({
      name: 'turn',
      failed: true,
      attributes: {
        'aiops.turn.result': 'failed',
        'gen_ai.usage.input_tokens': 300,
        'error.type': 'turn_failed',
      },
      events: [{ name: 'unsupported_tool_call', attributes: { 'gen_ai.tool.name': 'rm_rf' } }],
    });
    expect(children(first)).toMatchObject([
      {
        name: 'tool issue_get',
        failed: false,
        startMs: at + 120,
        endMs: at + 150,
        attributes: { 'gen_ai.tool.name': 'issue_get', 'aiops.tool.success': true },
      },
    ]);
    expect(children(second)).toMatchObject([{ failed: true, attributes: { 'error.type': 'not_allowed' } }]);
    for (const hidden of [SECRET, 'secret words', 'prompt', 'A title', 'What to do'])
      expect(receiver.text).not.toContain(hidden);
  });

  it('are whole for every run of a worker that is paused, stopped and pestered', async () => {
    const tracer = await open();
    const simulated = new SimulatedWorker(new Random(11), { maxConcurrentAgents: 3 });
    for (const [index, nature] of (
      ['finishes', 'asks', 'fails_at_random', 'hangs', 'never_finishes'] as const
    ).entries()) {
      simulated.tracker.add(`i${index}`, {});
      simulated.agents.plans.set(`i${index}`, { nature, work: 2, turnsDone: 0, asked: false });
    }
    const forget = followRuns(simulated.orchestrator, new RunSpans(tracer, (text) => text));
    await simulated.start();
    await simulated.pass(600_000);
    simulated.orchestrator.act({ kind: 'pause', by: 'me' });
    await simulated.pass(7_200_000);
    forget();
    await tracer.close();
    expect(receiver.problems).toEqual([]);
    const { history, state } = simulated.orchestrator;
    const roots = receiver.spans.filter(({ name }) => name === 'run');
    expect(roots.map(({ attributes }) => attributes['aiops.run.id']).sort()).toEqual(
      history.runs.map(({ runId }) => runId).sort(),
    );
    expect([roots.length > 4, state.live.size]).toEqual([true, 0]);
    const turns = receiver.spans.filter(({ name }) => name === 'turn');
    for (const turn of turns) {
      const root = roots.find(({ spanId }) => spanId === turn.parentSpanId);
      expect(turn.traceId).toBe(root?.traceId);
      expect(turn.attributes['aiops.run.id']).toBe(root?.attributes['aiops.run.id']);
      expect(turn.startMs).toBeGreaterThanOrEqual(root?.startMs ?? Number.POSITIVE_INFINITY);
      expect(turn.endMs).toBeLessThanOrEqual(root?.endMs ?? 0);
    }
    expect(turns.length).toBeGreaterThanOrEqual(roots.length);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
  });
});

describe('a receiver in trouble', () => {
  const hold: ServerResponse[] = [];
  it.each<[string, (response: ServerResponse) => void]>([
    ['answers 500', (response) => void response.writeHead(500).end('no')],
    ['answers 400 with a page', (response) => void response.writeHead(400).end('<html>bad</html>')],
    ['resets the connection', (response) => void response.destroy()],
    ['never answers', (response) => void hold.push(response)],
  ])('that %s costs one warning at most, and little time at the end', async (_, answer) => {
    receiver.answerWith(answer);
    const tracer = await open(`${receiver.url.replace('//', `//me:${SECRET}@`)}/v1/traces`);
    for (let round = 0; round < 3_000; round += 1) tracer.tracer.startSpan('run').end();
    const before = performance.now();
    await tracer.close();
    // The exporter itself would wait for ten seconds.
    expect(performance.now() - before).toBeLessThan(8_000);
    expect(warnings.length).toBeLessThanOrEqual(1);
    expect(warnings.join()).not.toContain(SECRET);
    expect(receiver.spans).toEqual([]);
  });

  it('is told once, and once more when it takes spans again', async () => {
    receiver.answerWith((response) => void response.writeHead(500).end());
    const tracer = await open();
    tracer.tracer.startSpan('lost').end();
    await expect.poll(() => warnings.length).toBe(1);
    expect(warnings[0]).toContain('traces cannot be sent');
    receiver.answerWith(null);
    tracer.tracer.startSpan('found').end();
    await tracer.close();
    expect(receiver.spans.map(({ name }) => name)).toEqual(['found']);
    expect([warnings.length, told]).toEqual([1, ['traces are sent again']]);
  });

  it('that is not there is told, too', async () => {
    const { url } = receiver;
    await receiver.close();
    const tracer = await open(`${url}/v1/traces`);
    tracer.tracer.startSpan('run').end();
    await expect.poll(() => warnings.length).toBe(1);
    await tracer.close();
    receiver = await startOtlpReceiver();
  });
});
