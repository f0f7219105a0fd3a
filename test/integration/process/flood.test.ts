import { expect, test } from 'vitest';
import { runCommand } from '../../../src/process/children/run-command.ts';
import { fakeProgram, peakMemoryGrowth, processSandbox, startFake } from './fixture.ts';

const sandbox = processSandbox();
const MEGABYTE = 1024 * 1024;
/** Far below the flood, and above what the garbage collector leaves lying around between two of its runs. */
const ALLOWED_GROWTH = 90 * MEGABYTE;

test('150 MB of lines pass through without piling up', async () => {
  let lines = 0;
  const growth = await peakMemoryGrowth(async () => {
    const child = await startFake(sandbox, ['flood', '150', '1', '4095'], {
      onLine() {
        lines += 1;
      },
    });
    await child.exited;
  });
  // And the one that says it is done; the empty one before it is left out.
  expect(lines).toBe((150 * MEGABYTE) / 4096 + 1);
  expect(growth).toBeLessThan(ALLOWED_GROWTH);
});

test('150 MB without a newline are one oversize line', async () => {
  const growth = await peakMemoryGrowth(async () => {
    const child = await startFake(sandbox, ['flood', '150', '1', '0']);
    await child.exited;
    expect(child.oversize).toEqual([150 * MEGABYTE]);
    expect(child.lines).toEqual(['done']);
  });
  expect(growth).toBeLessThan(ALLOWED_GROWTH);
});

test('100 MB on stderr, in one line, are cut', async () => {
  const growth = await peakMemoryGrowth(async () => {
    const child = await startFake(sandbox, ['flood', '100', '2', '0']);
    await child.exited;
    expect(child.errorLines).toEqual(['x'.repeat(8192)]);
  });
  expect(growth).toBeLessThan(ALLOWED_GROWTH);
});

test('a command that floods keeps its first bytes and says that it was cut', async () => {
  const growth = await peakMemoryGrowth(async () => {
    const result = await runCommand({
      command: process.execPath,
      args: [fakeProgram('flood'), '150', '1', '0'],
      ...sandbox,
      maxOutputBytes: 1000,
    });
    expect(result).toMatchObject({ outcome: 'exited', code: 0, stdout: 'x'.repeat(1000), truncated: true });
  });
  expect(growth).toBeLessThan(ALLOWED_GROWTH);
});
