import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { processesOfRun } from '../../contracts/runner-fixture.ts';
import { sandboxSettings, sandboxWorks } from '../../fakes/sandboxes.ts';
import { ageConversations, geminiProgram, never, openGeminiFixture } from './gemini-fixture.ts';

const possible = geminiProgram !== null && sandboxWorks('bubblewrap');
const SCRIPT = 'touch ../OUTSIDE; touch "$HOME/OUTSIDE"; env > ENVIRONMENT; true';
const HAND_OFF = { call: 'mcp_aiops_issue_move', args: { state: 'Human Review' } };

describe.runIf(possible)('the real Gemini in a sandbox', () => {
  test('reaches its tools and its own state, and nothing else', async () => {
    const { fixture, model, open, home, environment } = await openGeminiFixture((_request, number) => {
      const command = { call: 'run_shell_command', args: { command: SCRIPT, description: 'look' } };
      return { parts: [[command], [HAND_OFF]][number - 1] ?? [{ say: 'Done.' }] };
    });
    const sandbox = createSandbox(
      sandboxSettings({ envAllowlist: Object.keys(environment) }),
      join(fixture.root, 'mirrors'),
    );
    const acp = { permissions: 'allow', stateFolders: [join(home, '.gemini')] } as const;
    const first = await open(acp, { environment: { ...environment, UNLISTED: 'seen' } }, sandbox);
    expect(await first.runTurn('Look around.', never)).toEqual({ kind: 'completed' });
    expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_move']);
    expect(readFileSync(join(fixture.workspace, 'ENVIRONMENT'), 'utf8')).not.toContain('UNLISTED');
    expect([join(fixture.root, 'OUTSIDE'), join(home, 'OUTSIDE')].filter((path) => existsSync(path))).toEqual(
      [],
    );
    const { sessionId } = await fixture.seen('session_started');
    await first.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
    ageConversations(home);
    fixture.clear();
    const second = await open(acp, { resumeSessionId: sessionId }, sandbox);
    expect(await second.runTurn('Go on.', never)).toEqual({ kind: 'completed' });
    expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    expect(model.requests.at(-1)?.contents).toContain('Look around.');
  });
});
