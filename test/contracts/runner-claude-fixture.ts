import { afterEach, beforeEach } from 'vitest';
import { createClaudeRunner } from '../../src/runners/claude/runner.ts';
import type { ClaudeSettings } from '../../src/runners/claude/settings.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';
import { createFixture, type Fixture, isOfType } from './runner-fixture.ts';

export interface FakeClaudeFixture {
  readonly fixture: Fixture;
  open(
    scenario: string,
    claude?: Partial<ClaudeSettings>,
    input?: Partial<SessionInput>,
  ): Promise<AgentSession>;
  run(session: AgentSession, prompt?: string): Promise<TurnResult>;
  said(): string[];
}

const never = new AbortController().signal;

/** Sessions with the fake Claude for the tests of the file or block it is called in; they end with each test. */
export function arrangeFakeClaude(): FakeClaudeFixture {
  let current: Fixture | null = null;
  let sessions: AgentSession[] = [];
  const fixture = (): Fixture => {
    if (current === null) throw new Error('there is a fixture only during a test');
    return current;
  };

  beforeEach(() => {
    current = createFixture();
  });
  afterEach(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    sessions = [];
    current?.dispose();
    current = null;
  });

  return {
    get fixture() {
      return fixture();
    },
    async open(scenario, claude = {}, input = {}) {
      const runner = createClaudeRunner({
        claude: fakeClaudeSettings(scenario, claude),
        timing: { interruptGraceMs: 300, stopGrace: { inputEndMs: 150, termMs: 150 } },
      });
      const session = await runner.start(fixture().input(input), never);
      sessions.push(session);
      return session;
    },
    run: (session, prompt = 'Do the work.') => session.runTurn(prompt, never),
    said: () => fixture().events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : [])),
  };
}
