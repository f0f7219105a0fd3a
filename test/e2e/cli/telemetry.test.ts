import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startOtlpReceiver } from '../../fakes/otlp/receiver.ts';
import { runCli } from './cli.ts';
import { openFixture, parseLog } from './worker-fixture.ts';

it('a worker traces its runs, turns and tools when the environment names a receiver', async () => {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  const fixture = await openFixture();
  await fixture.writeIssue('OTEL-1', { mock: { behaviour: 'turns', turns: 2 } });
  await fixture.writeIssue('OTEL-2', { mock: { behaviour: 'fail' } });
  const result = await runCli(['worker', '--once', fixture.workflowPath], {
    cwd: fixture.directory,
    env: {
      ...fixture.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20dummy-key-2468',
      OTEL_SERVICE_NAME: 'my-worker',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  expect(result.code).toBe(6);
  expect(receiver.problems).toEqual([]);
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer dummy-key-2468' });
  expect(result.stderr).not.toContain('dummy-key-2468');
  const { spans } = receiver;
  const run = spans.find(({ name, attributes }) => name === 'run' && attributes['aiops.run.turns'] === 2);
  expect(run).toMatchObject({
    parentSpanId: null,
    failed: false,
    resource: { 'service.name': 'my-worker', 'deployment.environment.name': 'test' },
    attributes: {
      'aiops.issue.identifier': 'OTEL-1',
      'aiops.agent.kind': 'mock',
      'aiops.run.outcome': 'delivered',
      'aiops.usage.total_tokens': 3000,
    },
  });
  const turns = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId);
  expect(turns.map(({ name, attributes }) => [name, attributes['aiops.turn.result']])).toEqual([
    ['turn', 'completed'],
    ['turn', 'completed'],
  ]);
  const tools = spans.filter(({ parentSpanId }) => parentSpanId === turns[1]?.spanId);
  expect(tools.map(({ name }) => name)).toEqual(['tool issue_comment', 'tool issue_move']);
  const failed = spans.find(({ name, failed: bad }) => name === 'run' && bad);
  expect(failed?.attributes).toMatchObject({
    'aiops.issue.identifier': 'OTEL-2',
    'aiops.run.outcome': 'failed',
  });
  expect(receiver.text).not.toContain('Please do OTEL');
});

/** A Node that has none of OpenTelemetry's packages. */
const WITHOUT_PACKAGES = `
import { register } from 'node:module';
const resolve = \`export async function resolve(name, context, next) {
  if (!name.startsWith('@opentelemetry/')) return next(name, context);
  throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
}\`;
register('data:text/javascript,' + encodeURIComponent(resolve));
`;

it.each([
  ['is nonsense', 'localhost:4317', false, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address'],
  ['needs packages', 'http://127.0.0.1:9', true, 'the packages of OpenTelemetry are not installed'],
])(
  'says once that traces cannot be had where the receiver %s, and works',
  async (_, endpoint, bare, reason) => {
    const fixture = await openFixture();
    await fixture.writeIssue('OTEL-3');
    const hook = join(fixture.directory, 'bare.mjs');
    await writeFile(hook, WITHOUT_PACKAGES);
    const { code, stderr } = await runCli(['worker', '--once', fixture.workflowPath], {
      cwd: fixture.directory,
      env: {
        ...fixture.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        ...(bare ? { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` } : {}),
      },
    });
    const lines = parseLog(stderr).filter(({ level }) => level === 'warn');
    expect([code, lines.length]).toEqual([0, 1]);
    expect(lines[0]).toMatchObject({ msg: 'traces are off', reason });
  },
);
