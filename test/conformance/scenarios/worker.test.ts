import { describe, expect, it } from 'vitest';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { createMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import { makeIssue } from '../../fakes/scheduler-fixture.ts';
import { settle } from '../../simulation/virtual-clock.ts';
import { FakeTracker } from './fake-tracker.ts';
import { WorkerFixture } from './worker-fixture.ts';

const a = makeIssue('a', { identifier: 'ENG-1' });
const b = makeIssue('b', { identifier: 'ENG-2' });

function trackerWith(...issues: readonly ReturnType<typeof makeIssue>[]): FakeTracker {
  const tracker = new FakeTracker();
  tracker.put(...issues);
  return tracker;
}

describe('a worker', () => {
  it('polls at once and then on its cadence, within its limit (R-2.1-a, R-8.1-a)', async () => {
    const tracker = trackerWith(a, b);
    const fixture = new WorkerFixture(
      'agent: {max_concurrent_agents: 1}\npolling: {interval_ms: 10000}',
      tracker,
    );
    await fixture.start();
    expect(tracker.calls).toEqual(['list Todo, In Progress']);
    expect(fixture.runs).toHaveLength(1);
    await fixture.pass(9_999);
    expect(tracker.calls).toHaveLength(1);
    await fixture.pass(1);
    expect(tracker.calls.slice(1)).toEqual(['refresh a', 'list Todo, In Progress']);
    await fixture.pass(60_000);
    expect(tracker.calls.filter((call) => call.startsWith('list'))).toHaveLength(8);
    expect(fixture.runs).toHaveLength(1);
  });

  it('changes its state in one place: whatever comes at once starts an issue once (R-2.1-b, R-7.4-a, R-18.1-e)', async () => {
    const fixture = await new WorkerFixture('', trackerWith(a)).start();
    const [{ end }] = [fixture.run];
    for (let n = 0; n < 5; n += 1) {
      fixture.worker.requestPoll();
      fixture.worker.post({ type: 'timer_fired', key: 'tick' });
      fixture.worker.post({ type: 'timer_fired', key: 'retry:a' });
      fixture.worker.post({ type: 'candidates_listed', issues: [a, a] });
    }
    void end({ kind: 'completed' });
    fixture.worker.requestPoll();
    await settle();
    expect(fixture.runs).toHaveLength(1);
    await fixture.pass(1_000);
    expect(fixture.runs).toHaveLength(2);
    expect(fixture.worker.liveRuns).toBe(1);
  });

  it('reads the tracker and writes nothing to it, whatever becomes of a run (R-1-b)', async () => {
    const tracker = trackerWith(a);
    const fixture = await new WorkerFixture('', tracker).start();
    await fixture.run.end({ kind: 'failed', code: 'turn_failed', message: 'no' });
    await fixture.pass(10_000);
    tracker.put({ ...a, state: 'Done' });
    await fixture.pass(30_000);
    await fixture.run.end({ kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    await fixture.pass(60_000);
    expect(fixture.removed).toEqual(['ENG-1']);
    expect(tracker.toolCalls).toEqual([]);
    expect(new Set(tracker.calls.map((call) => call.split(' ')[0]))).toEqual(new Set(['list', 'refresh']));
  });

  it('tells its observers of every end, and survives one that throws (R-16.2-c, R-16.6-d, R-14.2-e)', async () => {
    const fixture = await new WorkerFixture('', trackerWith(a)).start();
    let seen = 0;
    fixture.worker.observe(() => {
      throw new Error('a broken display');
    });
    fixture.worker.observe(() => {
      seen = fixture.worker.state.live.size === 0 ? seen + 1 : seen;
    });
    await fixture.run.end({ kind: 'failed', code: 'turn_failed', message: 'no' });
    expect(seen).toBeGreaterThan(0);
    expect(fixture.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'an observer failed' }),
    );
    await fixture.pass(10_000);
    expect(fixture.runs).toHaveLength(2);
  });

  it('shows what its state says, and whatever a display does to that changes nothing (R-17.6-e)', async () => {
    const play = async (watch: (fixture: WorkerFixture) => void): Promise<unknown> => {
      const fixture = await new WorkerFixture('', trackerWith(a, b)).start();
      watch(fixture);
      await fixture.run.end({ kind: 'failed', code: 'turn_failed', message: 'no' });
      watch(fixture);
      await fixture.pass(60_000);
      watch(fixture);
      return structuredClone({ state: fixture.worker.state, calls: fixture.tracker.calls });
    };
    const shown: string[][] = [];
    const vandal = (fixture: WorkerFixture): void => {
      const display = fixture.shown();
      shown.push([...display.running, ...display.retrying].map((row) => row.issue_id).sort());
      expect(shown.at(-1)).toEqual([...fixture.worker.state.claims.keys()].sort());
      for (const list of [display.running, display.retrying]) {
        for (const row of list) for (const key of Object.keys(row)) Reflect.deleteProperty(row, key);
        list.length = 0;
      }
    };
    expect(await play(vandal)).toEqual(await play(() => {}));
    expect(shown[0]).toEqual(['a', 'b']);
  });

  it('can be looked at while the tracker does not answer: a snapshot waits for nothing (R-13.3-e)', async () => {
    const fixture = await new WorkerFixture('', trackerWith(a)).start();
    const unanswered = new Promise<never>(() => {});
    fixture.tracker.fetchIssuesByIds = () => unanswered;
    fixture.tracker.fetchIssuesByStates = () => unanswered;
    await fixture.pass(30_000);
    expect(fixture.shown().running.map(({ issue_id }) => issue_id)).toEqual(['a']);
  });

  it('a run that cannot even start is retried, saying why (R-16.4-a)', async () => {
    const tracker = trackerWith(a);
    const fixture = new WorkerFixture('', tracker);
    Object.defineProperty(tracker.tools, 'specs', {
      get() {
        throw new Error('no tools today');
      },
    });
    await fixture.start();
    expect(fixture.worker.state.claims.get('a')).toMatchObject({
      phase: 'retrying',
      attempt: 1,
      error: expect.stringContaining('no tools today'),
    });
  });
});

describe('without any page or API', () => {
  it('the worker works, and its log alone tells everything (R-2.1-f, R-13.4-a, R-13.7-0, R-13.7-a, R-18.1-r)', async () => {
    const tracker = trackerWith(a);
    const fixture = await new WorkerFixture('server: {port: -1}', tracker).start();
    await fixture.run.end({ kind: 'failed', code: 'turn_failed', message: 'it broke' });
    await fixture.pass(10_000);
    tracker.put({ ...a, state: 'Done' });
    await fixture.pass(30_000);
    await fixture.run.end({ kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    await fixture.pass(1_000);
    const told = [
      'running',
      'failed',
      'retry scheduled',
      'operator terminal stop',
      'stopped',
      'workspace removed',
    ];
    const history = fixture.log.lines
      .filter(({ message }) => told.includes(message))
      .map(({ message, fields }) => `${message}: ${fields['detail']}`);
    expect(history).toEqual([
      'running: first run started',
      'failed: failed: it broke',
      'retry scheduled: failure run in 10 s (attempt 1): it broke',
      'running: failure run (attempt 1) started',
      'operator terminal stop: moved to Done while a run was live',
      'stopped: the issue is now Done',
      'stopped: canceled: the issue moved to Done',
      'workspace removed: the issue is terminal',
    ]);
  });
});

describe('what is left behind', () => {
  it('after a success the workspace stays (R-9.1-b, R-10.7-b)', async () => {
    const tracker = trackerWith(a);
    const fixture = await new WorkerFixture('', tracker).start();
    tracker.put({ ...a, state: 'Human Review' });
    const answer = fixture.run.channel.mayContinue(1);
    await settle();
    expect(await answer).toEqual({ kind: 'inspect', state: 'Human Review' });
    const shown = await fixture.run.channel.mayContinue(1, { ...NO_EVIDENCE, commitsAhead: 1, pushed: true });
    expect(shown).toEqual({ kind: 'finish', why: 'left_active' });
    await fixture.run.end({ kind: 'completed' });
    await fixture.pass(120_000);
    expect(fixture.worker.history.runs[0]?.outcome.kind).toBe('delivered');
    expect(fixture.removed).toEqual([]);
  });

  it('everything an agent reported, with its time (R-10.4-a)', async () => {
    const journal = createMemoryJournal();
    const fixture = await new WorkerFixture('', trackerWith(a), journal).start();
    const [{ spec, channel }] = [fixture.run];
    const session = { type: 'session_started', sessionId: 's', pid: 4, model: null, resumed: false } as const;
    const at = fixture.clock.now();
    channel.emit({ type: 'agent', event: session });
    await fixture.pass(5_000);
    channel.emit({ type: 'agent', event: { type: 'malformed', bytes: 9 } });
    const { entries } = await journal.runEvents(spec.runId);
    expect(entries.map((entry) => [entry.at - at, entry.event])).toEqual([
      [0, { type: 'agent', event: session }],
      [5_000, { type: 'agent', event: { type: 'malformed', bytes: 9 } }],
    ]);
  });
});

describe('start-up', () => {
  const onDisk = (identifier: string, issueId: string) => ({
    issueId,
    identifier,
    key: identifier,
    path: `/w/${identifier}`,
  });

  it('removes the workspaces of terminal issues and goes on from tracker and disk (R-2.1-g, R-7.4-d, R-7.4-e, R-8.6-a, R-11.1-c, R-14.3-a)', async () => {
    const tracker = trackerWith({ ...a, state: 'Done' }, b);
    const fixture = new WorkerFixture('', tracker);
    fixture.workspaces.set('a', onDisk('ENG-1', 'a'));
    fixture.workspaces.set('b', onDisk('ENG-2', 'b'));
    await fixture.start();
    expect(fixture.removed).toEqual(['ENG-1']);
    expect(fixture.runs.map(({ spec }) => spec.issue.id)).toEqual(['b']);
  });

  it('goes on with a warning when the tracker cannot tell (R-8.6-b, R-11.4-f)', async () => {
    const tracker = trackerWith({ ...a, state: 'Done' }, b);
    const fixture = new WorkerFixture('', tracker);
    fixture.workspaces.set('a', onDisk('ENG-1', 'a'));
    tracker.failing = true;
    await fixture.start();
    expect(fixture.removed).toEqual([]);
    expect(fixture.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'issue refresh failed' }),
    );
    tracker.failing = false;
    await fixture.pass(30_000);
    expect(fixture.runs.map(({ spec }) => spec.issue.id)).toEqual(['b']);
  });

  it('remembers what agents filed for an issue, so that the limit on it is not begun again', async () => {
    const journal = createMemoryJournal();
    const tracker = trackerWith(a);
    const seen: unknown[] = [];
    tracker.tools.execute = async (_call, { followUps }) => {
      seen.push(followUps?.read());
      followUps?.add({ count: 1, names: [`f-${seen.length}`] });
      return { success: true, output: null };
    };
    const file = { name: 'file', arguments: {} };
    const first = await new WorkerFixture('', tracker, journal).start();
    await first.runs[0]?.channel.callTool(file);
    await first.runs[0]?.channel.callTool(file);
    const second = await new WorkerFixture('', tracker, journal).start();
    await second.runs[0]?.channel.callTool(file);
    expect(seen).toEqual([
      { count: 0, names: [] },
      { count: 1, names: ['f-1'] },
      { count: 2, names: ['f-1', 'f-2'] },
    ]);
  });

  it('remembers waiting retries with a journal, and begins afresh without one (R-14.3-a, R-2.1-g, R-18.2-c)', async () => {
    const journal = createMemoryJournal();
    const first = await new WorkerFixture('', trackerWith(a), journal).start();
    await first.run.end({ kind: 'failed', code: 'turn_failed', message: 'no' });
    const second = await new WorkerFixture('', trackerWith(a), journal).start();
    expect(second.worker.state.claims.get('a')).toMatchObject({ phase: 'retrying', attempt: 1 });
    expect(second.runs).toEqual([]);
    await second.pass(10_000);
    expect(second.run.spec).toMatchObject({ attempt: 1, retryKind: 'failure' });
    const forgetful = await new WorkerFixture('', trackerWith(a)).start();
    expect(forgetful.run.spec).toMatchObject({ attempt: null });
  });
});

describe('failures of the tracker', () => {
  it('are logged, and the runs go on (R-11.4-d, R-11.4-e, R-13.2-a, R-14.2-c, R-14.2-d, R-16.3-c)', async () => {
    const tracker = trackerWith(a);
    const fixture = await new WorkerFixture('', tracker).start();
    tracker.failing = true;
    await fixture.pass(60_000);
    expect(fixture.run.channel.stop.aborted).toBe(false);
    const warnings = fixture.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).toEqual(expect.arrayContaining(['issue refresh failed', 'tracker poll failed']));
    tracker.failing = false;
    tracker.put({ ...a, state: 'Backlog' });
    await fixture.pass(30_000);
    expect(fixture.run.channel.stop.reason).toEqual({ kind: 'inactive', state: 'Backlog' });
  });
});

describe('log lines', () => {
  it('about an issue name it, about a session name that too, with a word for what happened and a reason (R-13.1-b, R-13.1-c, R-4.2-c, R-17.6-b, R-18.1-q)', async () => {
    const fixture = await new WorkerFixture('', trackerWith(a)).start();
    fixture.run.channel.emit({
      type: 'agent',
      event: { type: 'session_started', sessionId: 's-1', pid: 1, model: null, resumed: false },
    });
    await fixture.run.end({ kind: 'failed', code: 'turn_failed', message: 'it broke' });
    const about = { issue_id: 'a', issue_identifier: 'ENG-1' };
    expect(fixture.log.lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'running', fields: expect.objectContaining(about) }),
        expect.objectContaining({
          message: 'agent session started',
          fields: expect.objectContaining({ ...about, session_id: 's-1' }),
        }),
        expect.objectContaining({
          level: 'warn',
          message: 'failed',
          fields: expect.objectContaining({ ...about, session_id: 's-1', detail: 'failed: it broke' }),
        }),
        expect.objectContaining({ message: 'retry scheduled', fields: expect.objectContaining(about) }),
      ]),
    );
  });

  it.each([
    [{ kind: 'failed', code: 'turn_failed', message: 'no' }, 'failed'],
    [{ kind: 'timed_out', message: 'too long' }, 'failed'],
    [{ kind: 'stopped', reason: { kind: 'stalled', silentMs: 400_000 } }, 'stalled'],
    [{ kind: 'stopped', reason: { kind: 'operator', by: 'me' } }, 'stopped'],
    [{ kind: 'completed' }, 'completed'],
  ] as const)('and the history of runs tell %j from the others (R-7.2-b)', async (end, word) => {
    const fixture = await new WorkerFixture('', trackerWith(a)).start();
    await fixture.run.end(end);
    expect(fixture.log.lines.map(({ message }) => message)).toContain(word);
    const kinds = { failed: 'failed', timed_out: 'timed_out', completed: 'progressed', stopped: null };
    const expected =
      kinds[end.kind] ?? (end.kind === 'stopped' && end.reason.kind === 'stalled' ? 'stalled' : 'canceled');
    expect(fixture.worker.history.runs[0]?.outcome.kind).toBe(expected);
  });
});
