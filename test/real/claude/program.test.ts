import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { processesOfRun } from '../../contracts/runner-fixture.ts';
import { sandboxSettings, sandboxWorks } from '../../fakes/sandboxes.ts';
import { claudeVariables, describeClaude, never, openClaudeFixture, sdkFolder } from './claude-fixture.ts';

const BASH = (command: string) => ({ call: 'Bash', input: { command, description: 'work' } });
const MOVE = { call: 'mcp__aiops__issue_move', input: { state: 'Human Review' } };

describe.runIf(sdkFolder !== null)('an installed Claude Agent SDK', () => {
  test('brings its own Claude where there is none on the PATH', async () => {
    const { fixture, environment, open } = await openClaudeFixture(() => ({ blocks: [{ say: 'Hi.' }] }));
    const folders = (environment['PATH'] ?? '').split(delimiter);
    const PATH = folders.filter((folder) => !existsSync(join(folder, 'claude'))).join(delimiter);
    const own = { command: 'claude', sdkFolders: [`${sdkFolder}`] };
    const session = await open(own, { environment: { ...environment, PATH } });
    expect(await session.runTurn('hello', never)).toEqual({ kind: 'completed' });
    const { pid } = await fixture.seen('session_started');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(`${sdkFolder}`);
  });
});

describeClaude('the real Claude in a sandbox', () => {
  const possible = sandboxWorks('bubblewrap');

  test.runIf(possible)('reaches its tools and its own state, and nothing else', async () => {
    const look = 'touch ../OUTSIDE; touch "$HOME/OUTSIDE"; env > ENVIRONMENT; true';
    const { fixture, model, open, home, environment } = await openClaudeFixture((_request, number) => ({
      blocks: [[BASH(look)], [MOVE]][number - 1] ?? [{ say: 'Done.' }],
    }));
    const sandbox = createSandbox(
      sandboxSettings({
        envAllowlist: ['PATH', 'HOME', 'TMPDIR', ...Object.keys(claudeVariables(model.baseUrl))],
      }),
      join(fixture.root, 'mirrors'),
    );
    const claude = { allowedTools: ['Bash'] };
    const first = await open(claude, { environment: { ...environment, UNLISTED: 'seen' } }, sandbox);
    expect(await first.runTurn('Look around.', never)).toEqual({ kind: 'completed' });
    expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_move']);
    expect(readFileSync(join(fixture.workspace, 'ENVIRONMENT'), 'utf8')).not.toContain('UNLISTED');
    const outside = [join(fixture.root, 'OUTSIDE'), join(home, 'OUTSIDE')];
    expect(outside.filter((path) => existsSync(path))).toEqual([]);
    const { sessionId } = await fixture.seen('session_started');
    await first.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
    fixture.clear();
    const second = await open(claude, { resumeSessionId: sessionId }, sandbox);
    expect(await second.runTurn('Go on.', never)).toEqual({ kind: 'completed' });
    expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    expect(model.requests.at(-1)?.messages).toContain('Look around.');
  });
});
