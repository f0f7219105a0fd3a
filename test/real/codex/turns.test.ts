import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOfType, processesOfRun } from '../../contracts/runner-fixture.ts';
import type { ModelServer } from '../../fakes/model-server/model-server.ts';
import { killAgent } from '../kill-scenarios.ts';
import { codexBinary, lastOutput, never, openCodexFixture } from './codex-fixture.ts';

const COMMIT =
  'echo hello > GREETING && git add GREETING && git -c user.name=C -c user.email=c@example.invalid commit -qm "Greet" && git log --oneline -1';

describe.runIf(codexBinary !== null)('the real Codex', () => {
  test('edits, commits, calls a tool and says so, in its own sandbox', async () => {
    const { fixture, model, open, said } = await openCodexFixture((request, number) => {
      if (number === 1) return { items: [{ call: 'exec_command', args: { cmd: COMMIT } }] };
      if (number === 2) return { items: [{ call: 'issue_move', args: { state: 'Human Review' } }] };
      return { items: [{ say: `done: ${lastOutput(request).length > 0}` }] };
    });
    const session = await open();
    expect(await session.runTurn('Greet the visitor.', never)).toEqual({ kind: 'completed' });
    expect(fixture.git('log', '--format=%s', 'main..HEAD').trim()).toBe('Greet');
    expect(fixture.toolCalls).toEqual([{ name: 'issue_move', arguments: { state: 'Human Review' } }]);
    expect(said()).toEqual(expect.arrayContaining([expect.stringContaining('GREETING'), 'done: true']));
    expect(fixture.events[0]).toMatchObject({ type: 'session_started', model: 'fake-model', resumed: false });
    expect(fixture.events.at(-1)).toEqual({ type: 'turn_completed', turn: 1 });
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { inputTokens: 3000, outputTokens: 150, totalTokens: 3150 } });
    expect(model.requests).toHaveLength(3);
  });

  test('several turns share the conversation', async () => {
    const { fixture, model, open } = await openCodexFixture((_request, number) => ({
      items: [{ say: `answer ${number}` }],
    }));
    const session = await open();
    for (const text of ['first words', 'second words', 'third words']) {
      expect(await session.runTurn(text, never)).toEqual({ kind: 'completed' });
    }
    expect(model.requests.at(-1)?.input).toMatch(
      /first words.*answer 1.*second words.*answer 2.*third words/s,
    );
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { totalTokens: 3150 } });
  });

  test('a thread is resumed after Codex was killed in a turn, and its old tokens are not counted again', async () => {
    const { fixture, model, open } = await openCodexFixture((_request, number) =>
      number === 2 ? 'hang' : { items: [{ say: `answer ${number}` }] },
    );
    expect(await killAgent(fixture, model, (input) => open({}, input))).toBe(1050);
    expect(model.requests.at(-1)?.input).toContain('remember the word plum');
  });

  test('a thread it does not know is followed by a new one', async () => {
    const { fixture, open } = await openCodexFixture(() => ({ items: [{ say: 'hi' }] }));
    const session = await open({}, { resumeSessionId: '01990000-0000-7000-8000-000000000000' });
    expect(await session.runTurn('hello', never)).toEqual({ kind: 'completed' });
    expect(fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false });
  });

  test('an interrupt ends the turn and every command of it', async () => {
    const { fixture, model, open, survivors } = await openCodexFixture((_request, number) =>
      number === 1
        ? { items: [{ call: 'exec_command', args: { cmd: 'sleep 600', yield_time_ms: 30_000 } }] }
        : 'hang',
    );
    const session = await open();
    const abort = new AbortController();
    const turn = session.runTurn('sleep', abort.signal);
    await fixture.seen('activity', ({ text }) => text.includes('sleep 600'));
    abort.abort();
    expect(await turn).toEqual({ kind: 'interrupted' });
    const sleeping = (): boolean =>
      commandLines(processesOfRun(fixture.runId)).some((line) => line.startsWith('sleep'));
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(false);
    expect(processesOfRun(fixture.runId)).not.toEqual([]);
    expect(model.requests).toHaveLength(1);
    await session.stop();
    expect(await survivors()).toEqual([]);
  });

  test('stopping in the middle of a command leaves no process', async () => {
    const { fixture, open, survivors } = await openCodexFixture(() => ({
      items: [{ call: 'exec_command', args: { cmd: 'setsid sleep 600 & sleep 600', yield_time_ms: 30_000 } }],
    }));
    const session = await open({ threadSandbox: 'danger-full-access' });
    const turn = session.runTurn('sleep', never);
    await fixture.seen('activity', ({ text }) => text.includes('sleep 600'));
    await session.stop();
    expect(await turn).toEqual({ kind: 'interrupted' });
    expect(await survivors()).toEqual([]);
  });

  test('what an operator says reaches the model in the same turn', async () => {
    const { fixture, model, open } = await openCodexFixture((_request, number) =>
      number === 1
        ? { items: [{ call: 'exec_command', args: { cmd: 'sleep 3', yield_time_ms: 10_000 } }] }
        : { items: [{ say: 'ok' }] },
    );
    const session = await open();
    const turn = session.runTurn('work', never);
    await fixture.seen('activity', ({ text }) => text.includes('sleep 3'));
    expect(await session.steer?.('prefer tabs')).toBe(true);
    expect(await turn).toEqual({ kind: 'completed' });
    expect(model.requests.at(-1)?.input).toContain('prefer tabs');
  });

  test('a command that prints 50 MB neither grows the worker nor ends the turn', async () => {
    const { fixture, open } = await openCodexFixture((_request, number) =>
      number === 1
        ? {
            items: [
              {
                call: 'exec_command',
                args: { cmd: 'head -c 50000000 /dev/zero | tr "\\0" x | fold -w 200', yield_time_ms: 30_000 },
              },
            ],
          }
        : { items: [{ say: 'that was long' }] },
    );
    const session = await open();
    const before = process.memoryUsage().rss;
    expect(await session.runTurn('print', never)).toEqual({ kind: 'completed' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(JSON.stringify(fixture.events).length).toBeLessThan(100_000);
  });

  test('the sandbox closes /tmp and what is beside the workspace, and keeps the network shut', async () => {
    const outside = join('/tmp', `aiops-escape-${process.pid}`);
    let model: ModelServer | null = null;
    const port = (): string => new URL(model?.baseUrl ?? '').port;
    const opened = await openCodexFixture((_request, number) =>
      number === 1
        ? {
            items: [
              {
                call: 'exec_command',
                args: {
                  cmd: `touch ${outside}; touch ../beside; touch inside; bash -c 'echo > /dev/tcp/127.0.0.1/${port()}' && touch network; sleep 1`,
                },
              },
            ],
          }
        : { items: [{ say: 'ok' }] },
    );
    const { fixture, open } = opened;
    model = opened.model;
    const session = await open();
    await session.runTurn('escape', never);
    expect(existsSync(join(fixture.workspace, 'network'))).toBe(false);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(fixture.root, 'beside'))).toBe(false);
    expect(existsSync(join(fixture.workspace, 'inside'))).toBe(true);
    expect(opened.model.requests).toHaveLength(2);
  });

  test('code mode calls the same tools', async () => {
    const { fixture, open } = await openCodexFixture(
      (_request, number) =>
        number === 1
          ? {
              items: [
                {
                  custom: 'exec',
                  input:
                    'await tools.issue_move({ state: "Human Review" }); await tools.exec_command({ cmd: "echo code > CODE" });',
                },
              ],
            }
          : { items: [{ say: 'ok' }] },
      'gpt-6.1-sol',
    );
    const session = await open();
    expect(await session.runTurn('go', never)).toEqual({ kind: 'completed' });
    expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_move']);
    expect(readFileSync(join(fixture.workspace, 'CODE'), 'utf8')).toBe('code\n');
  });
});

function commandLines(pids: readonly number[]): string[] {
  return pids.flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return [];
    }
  });
}
