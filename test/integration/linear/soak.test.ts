import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/domain/clock.ts';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { Orchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { workflowSnapshot } from '../../../src/orchestrator/workflow-snapshot.ts';
import { createMemoryJournal } from '../../../src/store/memory-journal.ts';
import { createGovernor } from '../../../src/trackers/http/governor.ts';
import { configOf } from '../../conformance/scenarios/workflow.ts';
import { FAKE_KEY, type Fault } from '../../fakes/linear/server.ts';
import { createLinearStage } from '../../fakes/linear/stage.ts';
import { Random } from '../../simulation/random.ts';

const FRONT_MATTER = [
  'tracker: {kind: linear, project_slug: app-1a2b3c, terminal_states: [Done, Cancelled], required_labels: [ready]}',
  'agent: {max_concurrent_agents: 3}',
  'polling: {interval_ms: 3600000}',
].join('\n');

type Body = Record<string, unknown>;

function emptied(body: Body): Body {
  const data = body['data'] as { issues?: { pageInfo: unknown } } | null;
  return { ...body, data: { issues: { ...data?.issues, nodes: [] } }, errors: [{ message: 'timeout' }] };
}

function stripped(field: string): (body: Body) => Body {
  return (body) => {
    const data = body['data'] as { issues?: { nodes: Body[] } } | null;
    const nodes = data?.issues?.nodes.map((node) => ({ ...node, [field]: null })) ?? [];
    return { ...body, data: { issues: { ...data?.issues, nodes } } };
  };
}

const FAULTS: readonly Fault[] = [
  { kind: 'answer', status: 429, body: '{}', headers: { 'retry-after': '1' } },
  { kind: 'answer', status: 403, body: '{"message":"secondary rate limit"}' },
  {
    kind: 'answer',
    status: 400,
    body: '{"errors":[{"message":"slow","extensions":{"code":"RATELIMITED"}}]}',
  },
  { kind: 'answer', status: 401, body: '{"errors":[{"message":"no"}]}' },
  { kind: 'answer', status: 500, body: '{}' },
  { kind: 'answer', status: 502, body: '<html>', headers: { 'content-type': 'text/html' } },
  { kind: 'answer', status: 200, body: '<html>', headers: { 'content-type': 'text/html' } },
  { kind: 'answer', status: 200, body: '{"data":null}' },
  { kind: 'answer', status: 200, body: '{"data":{"issues":{"nodes":[]}}}' },
  { kind: 'reset' },
  { kind: 'cut' },
  { kind: 'change', change: emptied },
  ...['id', 'title', 'state', 'labels', 'inverseRelations'].map(
    (field): Fault => ({ kind: 'change', change: stripped(field) }),
  ),
];

it('survives 300 polls of which many go wrong: no run is stopped, nothing is started that may not be', async () => {
  let hours = 0;
  /** An hour passes between polls, so that every pause is over; the wait before a second attempt is skipped. */
  const clock: Clock = {
    now: () => Date.UTC(2026, 0, 1) + hours * 3_600_000,
    setTimer: (delayMs, callback) => systemClock.setTimer(delayMs < 1_000 ? 0 : delayMs, callback),
  };
  const stage = await createLinearStage(
    [
      { key: 'A', state: 'In Progress', labels: ['ready'] },
      { key: 'B', state: 'Todo', labels: ['ready'] },
      { key: 'blocked', state: 'Todo', labels: ['ready'], blockedBy: ['A'] },
      { key: 'unlabelled', state: 'Todo' },
      { key: 'waiting', state: 'Backlog', labels: ['ready'] },
      { key: 'finished', state: 'Done', labels: ['ready'] },
    ],
    { clock, governor: createGovernor({ clock }) },
  );
  const started: string[] = [];
  const stopped: unknown[] = [];
  const worker = new Orchestrator(
    {
      bootId: 'soak',
      clock: systemClock,
      logger: silentLogger,
      journal: createMemoryJournal(),
      execute: ({ issue }, channel) =>
        new Promise((resolve) => {
          started.push(issue.id);
          channel.stop.addEventListener('abort', () => {
            stopped.push(channel.stop.reason);
            resolve({
              end: { kind: 'stopped', reason: channel.stop.reason },
              turns: 0,
              evidence: NO_EVIDENCE,
            });
          });
        }),
      workspaces: () => ({ list: async () => [], remove: async () => ({ removed: true, rescuedTo: null }) }),
    },
    workflowSnapshot(configOf(FRONT_MATTER, 'Do it.', { LINEAR_API_KEY: FAKE_KEY }), stage.tracker),
  );
  const random = new Random(7);
  await worker.start();
  await ended(worker);
  let failed = 0;
  for (let round = 0; round < 300; round += 1) {
    hours += 1;
    for (let count = random.between(0, 3); count > 0; count -= 1) stage.fake.faults.push(random.pick(FAULTS));
    worker.requestPoll();
    await ended(worker);
    if (worker.state.lastPoll?.ok === false) failed += 1;
    stage.fake.faults.length = 0;
  }
  expect(failed).toBeGreaterThan(100);
  expect(failed).toBeLessThan(300);
  expect(started.toSorted()).toEqual([stage.idOf('A'), stage.idOf('B')].toSorted());
  expect(stopped).toEqual([]);
  await worker.shutdown();
  await stage.dispose();
});

function ended(worker: Orchestrator): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (worker.state.tick.phase !== 'idle') return;
      stop();
      resolve();
    };
    const stop = worker.observe(check);
    check();
  });
}
