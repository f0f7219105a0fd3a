import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isOfType } from '../../contracts/runner-fixture.ts';
import { git } from '../../e2e/cli/git.ts';
import { startWorker } from '../../e2e/cli/worker-fixture.ts';
import { codexBinary, never, openCodexFixture } from './codex-fixture.ts';
import { openCodexWorkflow, openModel } from './codex-workflow.ts';

const PIPE = fileURLToPath(new URL('./noisy-pipe.mjs', import.meta.url));
const COMMIT =
  'echo grüße > GREETING && git add GREETING && git -c user.name=C -c user.email=c@x.invalid commit -qm "Grüße, 世界" && git push -q';

function behindNoise(record: string): string {
  return [process.execPath, PIPE, record, codexBinary, 'app-server'].map((word) => `'${word}'`).join(' ');
}

interface Entry {
  readonly noise?: number;
  readonly id?: string;
  readonly error?: { readonly code: number };
}

function entriesOf(record: string): readonly Entry[] {
  return readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.runIf(codexBinary !== null)('the real Codex behind a pipe that adds garbage', () => {
  test('commits and hands over as if there were none, through the whole worker', async () => {
    const model = await openModel((_request, number) => {
      if (number === 1) return { items: [{ call: 'exec_command', args: { cmd: COMMIT } }] };
      if (number === 2) return { items: [{ say: 'Grüße, 世界 🌍' }] };
      if (number === 3) return { items: [{ call: 'issue_move', args: { state: 'Human Review' } }] };
      return { items: [{ say: 'Handed over.' }] };
    });
    const fixture = await openCodexWorkflow(model);
    const record = join(fixture.directory, 'noise.jsonl');
    await fixture.writeWorkflow({
      agent: { default: 'codex-app-server' },
      codex: { command: behindNoise(record), read_timeout_ms: 20_000 },
    });
    await fixture.writeIssue('TASK-1', { title: 'Greet the visitor' });
    const worker = await startWorker(fixture);
    const ended = await worker.until('the run has ended', ({ ended: rows }) => rows[0] ?? null, {
      withinMs: 90_000,
    });
    expect(ended).toMatchObject({ outcome: 'delivered', new_commits: 1, turns: 2, state: 'Human Review' });
    expect(ended.tokens.total_tokens).toBe(4200);
    expect(git(fixture.workspace('TASK-1'), 'log', '-1', '--format=%s').trim()).toBe('Grüße, 世界');
    expect(await fixture.issueState('TASK-1')).toBe('Human Review');
    expect(model.requests).toHaveLength(4);
    const entries = entriesOf(record);
    expect(entries.filter(({ noise }) => noise !== undefined).length).toBeGreaterThan(24);
    expect(entries).toContainEqual(expect.objectContaining({ id: 'noise-1', error: expect.anything() }));
    expect(entries).toContainEqual(expect.objectContaining({ id: 'noise-2', error: expect.anything() }));
    expect(fixture.agents()).toEqual([]);
    await worker.end('SIGTERM');
  });

  test('tells of it in bounded events, and every word of the agent arrives whole', async () => {
    const opened = await openCodexFixture((_request, number) => ({
      items: [{ say: `Grüße ${number}, 世界 🌍` }],
    }));
    const { fixture, open, said } = opened;
    const session = await open({ command: behindNoise(join(fixture.root, 'noise.jsonl')) });
    for (const text of ['one', 'two', 'three', 'four']) {
      expect(await session.runTurn(text, never)).toEqual({ kind: 'completed' });
    }
    expect(said()).toEqual(expect.arrayContaining([1, 2, 3, 4].map((number) => `Grüße ${number}, 世界 🌍`)));
    expect(said().join('\n')).not.toMatch(/cut off|Segmentation/);
    const malformed = fixture.events.filter((event) => isOfType(event, 'malformed'));
    expect(malformed.length).toBeGreaterThan(0);
    expect(malformed.length).toBeLessThan(60);
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { totalTokens: 4200 } });
    expect(fixture.events.filter(({ type }) => type === 'turn_completed')).toHaveLength(4);
    expect(JSON.stringify(fixture.events).length).toBeLessThan(50_000);
    await session.stop();
    expect(await opened.survivors()).toEqual([]);
  });
});
