import type { AgentEvent } from '../../src/domain/agent-event.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import type { AgentSession, SessionInput } from '../../src/runners/runner.ts';
import type { Conversation } from '../../src/runners/session/protocol.ts';
import { Session } from '../../src/runners/session/session.ts';
import { timingOf } from '../../src/runners/session/timing.ts';
import { ISSUE } from '../contracts/runner-fixture.ts';

/** A clock that passes when it is told to. */
export interface ManualClock extends Clock {
  pass(ms: number): void;
}

export function manualClock(): ManualClock {
  let now = 1_000_000;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    elapsed: () => now,
    paused: () => 0,
    setTimer(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(ms) {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}

export interface SessionFixture {
  readonly session: Session;
  readonly events: AgentEvent[];
  readonly clock: ManualClock;
  /** The session once its conversation is open. */
  begin(conversation?: Partial<Conversation>): AgentSession;
}

/** A session with an agent that has no process of its own. */
export function createSessionFixture(input: Partial<SessionInput> = {}): SessionFixture {
  const events: AgentEvent[] = [];
  const clock = manualClock();
  const conversation: Conversation = { startTurn() {}, interrupt() {}, steer: null, ended: null };
  const protocol = {
    name: 'the agent',
    silenceKey: 'fake.turn_timeout_ms',
    startHint: () => '',
    open: async () => conversation,
  };
  const given: SessionInput = {
    runId: 'run-1',
    issue: ISSUE,
    workspacePath: '/nowhere',
    environment: {},
    resumeSessionId: null,
    tools: [],
    callTool: async () => ({ success: true, output: null }),
    onEvent: (event) => events.push(event),
    logger: silentLogger,
    ...input,
  };
  const timing = timingOf({ turnTimeoutMs: 60_000, stallTimeoutMs: 0 });
  const session = new Session(protocol, given, timing, clock);
  return {
    session,
    events,
    clock,
    begin: (overrides = {}) => session.begin({ ...conversation, ...overrides }),
  };
}
