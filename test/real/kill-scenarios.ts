import { expect } from 'vitest';
import type { AgentSession, SessionInput } from '../../src/runners/runner.ts';
import { isOfType, type Fixture as RunFixture } from '../contracts/runner-fixture.ts';
import type { Fixture } from '../e2e/cli/fixture.ts';
import { startWorker } from '../e2e/cli/worker-fixture.ts';

/** Resolves when the model was asked that often. */
interface Model {
  seen(count: number): Promise<void>;
}

/**
 * Kills the worker while its agent, which has made a commit, waits for the second answer of the model. The next worker
 * goes on with the same conversation and delivers.
 */
export async function killWorker(
  fixture: Fixture,
  model: Model,
  issue: string,
  beforeRestart = (): void => {},
): Promise<void> {
  await fixture.writeIssue(issue);
  const first = await startWorker(fixture);
  await model.seen(2);
  const before = await first.untilRunning(issue, (row) => row.session_id !== '');
  await first.end('SIGKILL');
  beforeRestart();
  const second = await startWorker(fixture);
  const ended = await second.until(
    'the run has ended',
    ({ ended: rows }) => rows.find(({ outcome }) => outcome === 'delivered') ?? null,
    { withinMs: 100_000 },
  );
  expect(ended.commits).toBe(1);
  expect(JSON.stringify(await second.client.state())).toContain(before.session_id.slice(0, 36));
}

/**
 * Kills the agent in its second turn, in which the model never answers, and goes on with its conversation in a new
 * session. Gives the tokens that the new one counted.
 */
export async function killAgent(
  fixture: RunFixture,
  model: Model,
  open: (input?: Partial<SessionInput>) => Promise<AgentSession>,
): Promise<number | undefined> {
  const never = new AbortController().signal;
  const first = await open();
  await first.runTurn('remember the word plum', never);
  const broken = first.runTurn('go on', never);
  await model.seen(2);
  const started = await fixture.seen('session_started');
  process.kill(started.pid ?? 0, 'SIGKILL');
  expect(await broken).toMatchObject({ kind: 'failed', code: 'port_exit' });
  await first.stop();
  fixture.clear();
  const second = await open({ resumeSessionId: started.sessionId });
  expect(await second.runTurn('and now', never)).toEqual({ kind: 'completed' });
  expect(fixture.events[0]).toMatchObject({ sessionId: started.sessionId, resumed: true });
  return fixture.events.findLast((event) => isOfType(event, 'usage'))?.usage.totalTokens;
}
