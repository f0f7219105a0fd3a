import { onTestFinished } from 'vitest';
import type { AgentSession, Runner, SessionInput } from '../../src/runners/runner.ts';
import { createStage, isOfType, type Stage } from './runner-stage.ts';

/** A stage for a real agent and its scripted model. */
export interface AgentStage<Model> {
  readonly stage: Stage;
  readonly model: Model;
  /** What the agent said and did, in words. */
  said(): string[];
  /** A session that is stopped with the test. */
  start(runner: Runner, input: Partial<SessionInput>): Promise<AgentSession>;
}

/** Everything ends with the test: the sessions first, then their model, then the workspace. */
export async function openAgentStage<Model extends { close(): Promise<void> }>(
  startModel: () => Promise<Model>,
): Promise<AgentStage<Model>> {
  const stage = createStage();
  const model = await startModel();
  const sessions: AgentSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    await model.close();
    stage.dispose();
  });
  return {
    stage,
    model,
    said: () => stage.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : [])),
    async start(runner, input) {
      const session = await runner.start(stage.input(input), new AbortController().signal);
      sessions.push(session);
      return session;
    },
  };
}
