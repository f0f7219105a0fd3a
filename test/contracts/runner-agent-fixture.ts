import { onTestFinished } from 'vitest';
import type { AgentSession, Runner, SessionInput } from '../../src/runners/runner.ts';
import { createFixture, type Fixture, isOfType } from './runner-fixture.ts';

/** A fixture for a real agent and its scripted model. */
export interface AgentFixture<Model> {
  readonly fixture: Fixture;
  readonly model: Model;
  /** What the agent said and did, in words. */
  said(): string[];
  /** A session that is stopped with the test. */
  start(runner: Runner, input: Partial<SessionInput>): Promise<AgentSession>;
}

/** Everything ends with the test: the sessions first, then their model, then the workspace. */
export async function openAgentFixture<Model extends { close(): Promise<void> }>(
  startModel: () => Promise<Model>,
): Promise<AgentFixture<Model>> {
  const fixture = createFixture();
  const model = await startModel();
  const sessions: AgentSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    await model.close();
    fixture.dispose();
  });
  return {
    fixture,
    model,
    said: () => fixture.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : [])),
    async start(runner, input) {
      const session = await runner.start(fixture.input(input), new AbortController().signal);
      sessions.push(session);
      return session;
    },
  };
}
