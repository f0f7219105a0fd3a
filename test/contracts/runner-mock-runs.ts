import { afterEach, beforeEach, expect } from 'vitest';
import { createMockRunner } from '../../src/runners/mock/runner.ts';
import type { AgentSession, Runner, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import { createFixture, type Fixture, ISSUE, isOfType, processesOfRun } from './runner-fixture.ts';

export const never = new AbortController().signal;

/** Runs of the mock agent on a fresh fixture per test, which is cleared away and checked for leftovers after it. */
export interface MockRuns {
  fixture(): Fixture;
  open(script: string, overrides?: Partial<SessionInput>): Promise<AgentSession>;
  /** One run of a single turn, from start to stop. */
  runOnce(script: string, overrides?: Partial<SessionInput>): Promise<TurnResult>;
  /** Subjects of the commits on the issue's branch. */
  subjects(): string[];
  /** Empty when the remote has no such branch. */
  remoteHead(branch?: string): string;
  /** All activity texts. */
  said(): string;
}

function createImpatientRunner(): Runner {
  return createMockRunner({
    timing: { stopGrace: { inputEndMs: 500, termMs: 200 }, interruptGraceMs: 300 },
  });
}

export function useMockRuns(
  createRunner: (fixture: Fixture) => Runner | Promise<Runner> = createImpatientRunner,
): MockRuns {
  let current: Fixture | null = null;
  let sessions: AgentSession[] = [];

  const fixture = (): Fixture => {
    if (current === null) throw new Error('there is no fixture outside of a test');
    return current;
  };

  beforeEach(() => {
    current = createFixture();
    sessions = [];
  });

  afterEach(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    const survivors = processesOfRun(fixture().runId);
    fixture().dispose();
    expect(survivors).toEqual([]);
  });

  const open: MockRuns['open'] = async (script, overrides = {}) => {
    const description = `Say hello.\n\n\`\`\`mock\nstep_ms: 0\n${script}\n\`\`\`\n`;
    const runner = await createRunner(fixture());
    const input = fixture().input({ issue: { ...ISSUE, description }, ...overrides });
    const session = await runner.start(input, never);
    sessions.push(session);
    return session;
  };

  return {
    fixture,
    open,
    async runOnce(script, overrides) {
      const session = await open(script, overrides);
      const result = await session.runTurn('Do the work.', never);
      await session.stop();
      return result;
    },
    subjects: () => fixture().git('log', '--format=%s', 'main..HEAD').trim().split('\n').filter(Boolean),
    remoteHead: (branch = fixture().branch) =>
      fixture().remoteGit('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`).trim(),
    said: () =>
      fixture()
        .events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : []))
        .join('\n'),
  };
}
