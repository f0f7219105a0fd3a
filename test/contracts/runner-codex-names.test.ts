import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/domain/agent-event.ts';
import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import { fakeCodexSettings } from '../fakes/codex/settings.ts';
import { createFixture, type Fixture } from './runner-fixture.ts';

let fixture: Fixture;
let session: AgentSession | null;
beforeEach(() => {
  fixture = createFixture();
  session = null;
});
afterEach(async () => {
  await session?.stop();
  fixture.dispose();
});

interface Attempt {
  readonly scenario: string;
  readonly codex?: Parameters<typeof fakeCodexSettings>[1];
  readonly input?: Partial<SessionInput>;
  /** Ends the turn from outside once the agent has said something. */
  readonly cancels?: boolean;
}

/** How one turn of the scenario ended, or how its session failed to start. */
async function attempt({ scenario, codex, input, cancels = false }: Attempt): Promise<unknown> {
  const timing = { silenceMs: 300, interruptGraceMs: 2_000, stopGrace: { inputEndMs: 300, termMs: 150 } };
  const runner = createCodexRunner({ codex: fakeCodexSettings(scenario, codex), timing });
  const cancel = new AbortController();
  try {
    session = await runner.start(fixture.input(input), new AbortController().signal);
    const turn: Promise<TurnResult> = session.runTurn('Do the work.', cancel.signal);
    if (cancels) await fixture.seen('activity').then(() => cancel.abort());
    return await turn;
  } catch (error) {
    return error;
  }
}

describe('what the SPEC names for an agent', () => {
  test.each<readonly [AgentEvent['type'], Attempt]>([
    ['session_started', { scenario: 'happy' }],
    ['startup_failed', { scenario: 'exits_before_session' }],
    ['turn_completed', { scenario: 'happy' }],
    ['turn_failed', { scenario: 'fails' }],
    ['turn_cancelled', { scenario: 'works_slowly', cancels: true }],
    ['turn_input_required', { scenario: 'asks' }],
    ['approval_auto_approved', { scenario: 'asks_approval' }],
    ['unsupported_tool_call', { scenario: 'calls_unknown_tool' }],
    ['notification', { scenario: 'offline' }],
    ['malformed', { scenario: 'prints_garbage' }],
  ])('the event %s is told when it happens (R-10.4-b)', async (type, asked) => {
    await attempt(asked);
    expect(fixture.events.map((event) => event.type)).toContain(type);
  });

  test.each<readonly [string, Attempt, Readonly<Record<string, unknown>>]>([
    [
      'codex_not_found',
      { scenario: 'happy', codex: { command: '/nowhere/codex app-server' } },
      { code: 'agent_not_found' },
    ],
    [
      'invalid_workspace_cwd',
      { scenario: 'happy', input: { workspacePath: join('/nowhere', 'workspace') } },
      { code: 'invalid_workspace_cwd' },
    ],
    [
      'response_timeout',
      { scenario: 'hangs_before_session', codex: { readTimeoutMs: 300 } },
      { code: 'response_timeout' },
    ],
    ['turn_timeout', { scenario: 'silent' }, { kind: 'timed_out' }],
    ['port_exit', { scenario: 'exits_in_turn' }, { kind: 'failed', code: 'port_exit' }],
    ['response_error', { scenario: 'refuses_thread' }, { code: 'agent_failed' }],
    ['turn_failed', { scenario: 'fails' }, { kind: 'failed', code: 'turn_failed' }],
    ['turn_cancelled', { scenario: 'works_slowly', cancels: true }, { kind: 'interrupted' }],
    ['turn_input_required', { scenario: 'asks' }, { kind: 'input_required' }],
  ])('the error %s is told apart from all others (R-10.6-d)', async (_, asked, told) => {
    expect(await attempt(asked)).toMatchObject(told);
  });
});
