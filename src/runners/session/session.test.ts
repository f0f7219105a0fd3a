import { describe, expect, test } from 'vitest';
import { createSessionFixture } from '../../../test/fakes/session-fixture.ts';
import type { TurnResult } from '../runner.ts';

const never = new AbortController().signal;
const OPENED = { sessionId: 's-1', model: null, resumed: false };

/** A session that is open, and what its agent was asked for. */
function openSession() {
  const asked: string[] = [];
  const fake = createSessionFixture();
  fake.session.announce(OPENED);
  const agent = fake.begin({
    startTurn: (prompt, turn) => void asked.push(`turn ${turn}: ${prompt}`),
    interrupt: ({ kind }) => void asked.push(`interrupt: ${kind}`),
  });
  return { ...fake, agent, asked, types: () => fake.events.map(({ type }) => type) };
}

describe('turns', () => {
  test('run one at a time, and are reported as started and ended once', async () => {
    const { agent, session, asked, events } = openSession();
    const first = agent.runTurn('a', never);
    await expect(agent.runTurn('b', never)).rejects.toThrow('already running');
    session.endTurn({ kind: 'completed' });
    session.endTurn({ kind: 'interrupted' });
    expect(await first).toEqual({ kind: 'completed' });
    const second = agent.runTurn('c', never);
    session.endTurn({ kind: 'failed', code: 'turn_failed', message: 'no' });
    expect(await second).toMatchObject({ kind: 'failed' });
    expect(asked).toEqual(['turn 1: a', 'turn 2: c']);
    expect(events.slice(1)).toEqual([
      { type: 'turn_started', turn: 1, turnId: 'turn-1' },
      { type: 'turn_completed', turn: 1 },
      { type: 'turn_started', turn: 2, turnId: 'turn-2' },
      { type: 'turn_failed', turn: 2, message: 'no' },
    ]);
  });

  test('are not begun once the session stops or the caller has given up', async () => {
    const { agent, asked, types } = openSession();
    expect(await agent.runTurn('a', AbortSignal.abort())).toEqual({ kind: 'interrupted' });
    await agent.stop();
    expect(await agent.runTurn('b', never)).toEqual({ kind: 'interrupted' });
    expect(asked).toEqual([]);
    expect(types()).toEqual(['session_started']);
  });

  test('are named by the agent where it names them, else by their number', async () => {
    const { session, events, begin } = createSessionFixture();
    session.announce(OPENED);
    const agent = begin({ namesTurns: true });
    const turn = agent.runTurn('a', never);
    expect(session.turnId).toBeNull();
    session.turnStarted('server-7');
    session.turnStarted('server-8');
    expect([session.turn, session.turnId]).toEqual([1, 'server-7']);
    session.endTurn({ kind: 'completed' });
    await turn;
    expect([session.turn, session.turnId]).toEqual([null, null]);
    expect(events[1]).toEqual({ type: 'turn_started', turn: 1, turnId: 'server-7' });
  });
});

describe('a turn that this side ends', () => {
  test('is asked for once, and counts as what was decided first whatever the agent says', async () => {
    const { agent, session, asked } = openSession();
    const abort = new AbortController();
    const turn = agent.runTurn('a', abort.signal);
    session.ask('approve', 'May I?');
    abort.abort();
    expect(asked).toEqual(['turn 1: a', 'interrupt: input_required']);
    session.endTurn({ kind: 'completed' });
    expect(await turn).toEqual({ kind: 'input_required', method: 'approve', question: 'May I?' });
  });

  test('ends by force when the agent does not listen, but not while its answer is looked at', async () => {
    const { agent, session, clock } = openSession();
    const deaf = agent.runTurn('a', AbortSignal.any([never]));
    session.ask('approve', 'May I?');
    clock.pass(session.timing.interruptGraceMs);
    expect(await deaf).toMatchObject({ kind: 'input_required' });

    const polite = agent.runTurn('b', never);
    session.ask('approve', 'And this?');
    session.agentEndedTurn();
    clock.pass(session.timing.interruptGraceMs);
    await Promise.resolve();
    expect(session.turn).toBe(2);
    session.endTurn({ kind: 'completed' });
    expect(await polite).toMatchObject({ question: 'And this?' });
  });

  test('is one of an agent that is silent for too long, and the message names the key', async () => {
    const { agent, session, clock, asked } = openSession();
    const turn = agent.runTurn('a', never);
    clock.pass(59_000);
    expect(asked).toEqual(['turn 1: a']);
    clock.pass(1_000);
    clock.pass(1_000);
    expect(asked).toEqual(['turn 1: a', 'interrupt: timed_out']);
    session.endTurn({ kind: 'interrupted' });
    expect(await turn).toEqual({
      kind: 'timed_out',
      message: 'The agent was silent for longer than fake.turn_timeout_ms (60 s)',
    });
  });
});

test('an agent is spoken to in the middle of a turn only while the turn is its own', async () => {
  const { session, begin } = createSessionFixture();
  const said: string[] = [];
  session.announce(OPENED);
  const agent = begin({
    async steer(text) {
      said.push(text);
      return true;
    },
  });
  expect(await agent.steer?.('early')).toBe(false);
  const turn = agent.runTurn('a', never);
  expect(await agent.steer?.('in time')).toBe(true);
  session.ask('approve', 'May I?');
  expect(await agent.steer?.('late')).toBe(false);
  session.endTurn({ kind: 'completed' });
  await turn;
  expect(said).toEqual(['in time']);
});

test('nothing is reported before the session is open nor after it was stopped, and what it holds is closed once', async () => {
  const { agent, session, events } = openSession();
  const closed: string[] = [];
  session.onClose(() => void closed.push('tools'));
  const turn = agent.runTurn('a', never);
  await Promise.all([agent.stop(), agent.stop()]);
  expect(await turn).toEqual({ kind: 'interrupted' } satisfies TurnResult);
  const reported = events.length;
  session.emit({ type: 'notification', name: 'late' });
  session.malformed(5);
  session.endTurn({ kind: 'completed' });
  expect(events).toHaveLength(reported);
  expect(events.at(-1)).toEqual({ type: 'turn_cancelled', turn: 1 });
  expect(closed).toEqual(['tools']);

  const early = createSessionFixture();
  early.session.emit({ type: 'notification', name: 'early' });
  early.session.malformed(5);
  early.session.announce(OPENED);
  early.session.malformed(7);
  expect(early.events).toEqual([
    { type: 'session_started', pid: null, ...OPENED },
    { type: 'malformed', bytes: 7 },
  ]);
});

test('nothing is started for a session that was stopped, and what was made for the launch is removed', async () => {
  const { agent, session } = openSession();
  await agent.stop();
  let disposed = 0;
  const launch = {
    command: 'true',
    args: [],
    env: {},
    async dispose() {
      disposed += 1;
    },
  };
  await expect(session.startProcess(launch, { howToInstall: '', onLine() {} })).rejects.toThrow(
    'was stopped',
  );
  expect(disposed).toBe(1);
});
