import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { redactTexts } from '../../src/observability/redact-texts.ts';
import { createAcpRunner } from '../../src/runners/acp/runner.ts';
import { createClaudeRunner } from '../../src/runners/claude/runner.ts';
import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import { createMockRunner } from '../../src/runners/mock/runner.ts';
import type { Runner } from '../../src/runners/runner.ts';
import { createFixture, processesOfRun } from '../contracts/runner-fixture.ts';
import { fakeAcpSettings } from '../fakes/acp/settings.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';
import { fakeCodexSettings } from '../fakes/codex/settings.ts';

const PROGRAM = fileURLToPath(new URL('../fakes/programs/hostile-lines.mjs', import.meta.url));
/** What a session may hold on to beyond what it held before, however much it was told. */
const MAX_GROWTH = 150 * 1024 * 1024;
/** At any moment of it, garbage included. */
const MAX_RESIDENT_GROWTH = 500 * 1024 * 1024;

const timing = {
  responseTimeoutMs: 60_000,
  interruptGraceMs: 300,
  stopGrace: { inputEndMs: 300, termMs: 300 },
};

/** The command with the attacker in front of it. */
function attacked(command: string, seed: number, count: number): string {
  return `'${process.execPath}' '${PROGRAM}' ${seed} ${count} ${command}`;
}

export const RUNNERS: Readonly<Record<string, (seed: number, count: number) => Runner>> = {
  codex(seed, count) {
    const codex = fakeCodexSettings('happy', { readTimeoutMs: 60_000, turnTimeoutMs: 600_000 });
    return createCodexRunner({ codex: { ...codex, command: attacked(codex.command, seed, count) }, timing });
  },
  claude(seed, count) {
    const claude = fakeClaudeSettings('happy', { turnTimeoutMs: 600_000 });
    return createClaudeRunner({
      claude: { ...claude, command: attacked(claude.command, seed, count) },
      timing,
    });
  },
  acp(seed, count) {
    const acp = fakeAcpSettings('happy', { turnTimeoutMs: 600_000 });
    return createAcpRunner({ acp: { ...acp, command: attacked(acp.command, seed, count) }, timing });
  },
  mock: (seed, count) =>
    createMockRunner({
      timing,
      sandbox: {
        network: true,
        wrap: async (plain) => ({
          ...plain,
          command: process.execPath,
          args: [PROGRAM, String(seed), String(count), plain.command, ...plain.args],
        }),
      },
    }),
};

/** One session whose agent prints `count` hostile lines; every event goes where a worker would send it. */
export async function surviveLines(runner: Runner, count: number, withinMs: number): Promise<void> {
  const fixture = createFixture();
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  const before = process.memoryUsage();
  let most = 0;
  let events = 0;
  let attackedWith = 0;
  let written = 0;
  try {
    const input = fixture.input({
      async callTool() {
        return { success: true, output: { ok: true } };
      },
      onEvent(event) {
        if (++events % 100 === 0) most = Math.max(most, process.memoryUsage.rss());
        written += JSON.stringify(redactTexts(event, (text) => text)).length;
        if (event.type === 'malformed') attackedWith += 1;
      },
    });
    const limit = AbortSignal.timeout(withinMs);
    const session = await runner.start(input, limit);
    const result = await session.runTurn('Do the work.', limit);
    await session.stop();
    expect(limit.aborted).toBe(false);
    expect(typeof result.kind).toBe('string');
  } finally {
    process.off('uncaughtException', onFault).off('unhandledRejection', onFault);
  }
  expect(faults).toEqual([]);
  expect(attackedWith).toBeGreaterThan(0);
  expect(written).toBeLessThan(count * 10_000 + 1_000_000);
  expect(process.memoryUsage().heapUsed - before.heapUsed).toBeLessThan(MAX_GROWTH);
  expect(most - before.rss).toBeLessThan(MAX_RESIDENT_GROWTH);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(processesOfRun(fixture.runId)).toEqual([]);
  fixture.dispose();
}
