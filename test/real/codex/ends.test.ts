import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TurnResult } from '../../../src/runners/runner.ts';
import { isOfType } from '../../contracts/runner-fixture.ts';
import type { ModelReply } from '../../fakes/model-server/model-server.ts';
import { codexBinary, lastOutput, never, openCodexFixture } from './codex-fixture.ts';

const ESCALATE = {
  call: 'exec_command',
  args: {
    cmd: 'touch ../outside',
    sandbox_permissions: 'require_escalated',
    justification: 'the task needs it',
  },
};

async function endOf(reply: ModelReply): Promise<TurnResult> {
  const { open } = await openCodexFixture(() => reply);
  return (await open()).runTurn('go', never);
}

describe.runIf(codexBinary !== null)('the real Codex fails', () => {
  test('on a used-up quota, with the time it is back', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 3600;
    const { fixture, open } = await openCodexFixture(() => ({
      status: 429,
      body: {
        error: { type: 'usage_limit_reached', message: 'limit', plan_type: 'pro', resets_at: resetsAt },
      },
      headers: {
        'x-codex-primary-used-percent': '100',
        'x-codex-primary-window-minutes': '300',
        'x-codex-primary-reset-at': String(resetsAt),
      },
    }));
    expect(await (await open()).runTurn('go', never)).toMatchObject({ kind: 'quota' });
    const limits = fixture.events.findLast((event) => isOfType(event, 'rate_limits'));
    expect(limits).toMatchObject({ rateLimits: { primary: { used_percent: 100, resets_at: resetsAt } } });
  });

  test.each([
    ['too many requests', { status: 429, body: { error: { message: 'slow down' } } }, { kind: 'quota' }],
    [
      'a sign-in that is not valid',
      { status: 401, body: {} },
      { kind: 'failed', code: 'agent_unauthorized' },
    ],
    ['an overloaded server', { status: 503, body: {} }, { kind: 'failed' }],
    ['a broken server', { status: 500, body: {} }, { kind: 'failed', code: 'turn_failed' }],
    ['a rate limit', { failed: 'rate_limit_exceeded' }, { kind: 'quota' }],
    [
      'a request it may not make',
      { status: 400, body: { error: { message: 'bad' } } },
      { kind: 'failed', code: 'turn_failed' },
    ],
  ] as const)('on %s', async (_name, reply, result) => {
    expect(await endOf(reply)).toMatchObject(result);
  });

  test('on a full context, and leaves the thread for a new one', async () => {
    const { fixture, open } = await openCodexFixture((_request, number) =>
      number === 1 ? { failed: 'context_length_exceeded' } : { items: [{ say: 'fresh' }] },
    );
    const session = await open();
    expect(await session.runTurn('go', never)).toMatchObject({ kind: 'failed', code: 'context_overflow' });
    const ids = fixture.events.flatMap((event) =>
      isOfType(event, 'session_started') ? [event.sessionId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    expect(await session.runTurn('again', never)).toEqual({ kind: 'completed' });
    await session.stop();
    fixture.clear();
    const next = await open({}, { resumeSessionId: ids[1] ?? null });
    expect(await next.runTurn('and again', never)).toEqual({ kind: 'completed' });
  });

  test('on silence', async () => {
    const { open } = await openCodexFixture(() => 'hang');
    const session = await open({ turnTimeoutMs: 1_500 });
    expect(await session.runTurn('go', never)).toMatchObject({ kind: 'timed_out' });
  });
});

describe.runIf(codexBinary !== null)('an approval', () => {
  test('that nobody may be asked for is declined by Codex itself, and the turn goes on', async () => {
    const { fixture, open, model } = await openCodexFixture((_request, number) =>
      number === 1 ? { items: [ESCALATE] } : { items: [{ say: 'I could not' }] },
    );
    const nothing = {
      sandbox_approval: false,
      rules: false,
      skill_approval: false,
      request_permissions: false,
      mcp_elicitations: false,
    };
    const session = await open({ approvalPolicy: { granular: nothing } });
    expect(await session.runTurn('go', never)).toEqual({ kind: 'completed' });
    expect(existsSync(join(fixture.root, 'outside'))).toBe(false);
    expect(model.requests).toHaveLength(2);
  });

  test.each(['on-request', 'untrusted'])(
    'under %s becomes a question whose answer runs exactly that command',
    async (approvalPolicy) => {
      const { fixture, open, model } = await openCodexFixture((request, number) =>
        number === 2 || number === 1
          ? { items: [ESCALATE] }
          : { items: [{ say: `out: ${lastOutput(request)}` }] },
      );
      const first = await open({ approvalPolicy });
      const asked = await first.runTurn('go', never);
      expect(asked).toMatchObject({
        kind: 'input_required',
        method: 'item/commandExecution/requestApproval',
        question: expect.stringContaining('touch ../outside'),
      });
      expect(existsSync(join(fixture.root, 'outside'))).toBe(false);
      const { sessionId } = await fixture.seen('session_started');
      await first.stop();
      fixture.clear();
      const question = asked.kind === 'input_required' ? asked.question : '';
      const answer = /approve [0-9a-f]{8}/.exec(question)?.[0] ?? '';
      const second = await open({ approvalPolicy }, { resumeSessionId: sessionId, answer });
      expect(await second.runTurn(`The operator answers: ${answer}`, never)).toEqual({ kind: 'completed' });
      expect(existsSync(join(fixture.root, 'outside'))).toBe(true);
      expect(fixture.events.map(({ type }) => type)).toContain('approval_auto_approved');
      expect(model.requests.at(-1)?.input).toContain('The operator answers');
    },
  );
});
