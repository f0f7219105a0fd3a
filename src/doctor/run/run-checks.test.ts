import { expect, test } from 'vitest';
import { ok, warn } from '../../domain/verdict.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Check } from '../check.ts';
import { findingsJson, formatFindings } from './report.ts';
import { runChecks, worstOf } from './run-checks.ts';

function check(id: string, run: Check['run']): Check {
  return { id, title: id.toUpperCase(), needs: 'machine', run };
}

const options = {
  timeoutMs: 50,
  redact: (text: string) => text.replaceAll('hunter2', '***'),
  onProgress() {},
};

test('all run at once, each is bounded, and an error is a failure with its hint', async () => {
  let started = 0;
  let bothStarted = (): void => {};
  const both = new Promise<void>((resolve) => {
    bothStarted = resolve;
  });
  const together = async (): Promise<ReturnType<typeof ok>> => {
    started += 1;
    if (started === 2) bothStarted();
    await both;
    return ok('fine');
  };
  let aborted = false;
  const findings = await runChecks(
    [
      check('a', together),
      check('b', together),
      check('hangs', (signal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        return new Promise(() => {});
      }),
      check('throws', async () => {
        throw new AppError('git_failed', 'no', { hint: 'Try harder.' });
      }),
      check('bug', async () => {
        throw new TypeError('oops');
      }),
    ],
    options,
  );
  expect(findings.map(({ id, status, text, fix }) => [id, status, text, fix])).toEqual([
    ['a', 'ok', 'fine', null],
    ['b', 'ok', 'fine', null],
    ['hangs', 'fail', 'no answer within 0.05 s', expect.stringContaining('again')],
    ['throws', 'fail', 'no', 'Try harder.'],
    ['bug', 'fail', 'oops', expect.stringContaining('report')],
  ]);
  expect(aborted).toBe(true);
  expect(worstOf(findings)).toBe('fail');
});

test('no text that comes out holds a secret or steers the terminal', async () => {
  const findings = await runChecks(
    [check('a', async () => warn('token hunter2\nand \u001b[2Jmore\u0007', 'remove hunter2'))],
    options,
  );
  const text = formatFindings(findings);
  expect(text).toBe(
    'WARN  A: token ***\n      and  [2Jmore \n      Fix: remove ***\n\n1 warning; 0 checks passed.\n',
  );
  expect(JSON.parse(findingsJson('/w', '1.0.0', findings))).toEqual({
    ok: true,
    worst: 'warn',
    workflow: '/w',
    version: '1.0.0',
    checks: [
      {
        id: 'a',
        title: 'A',
        status: 'warn',
        text: 'token ***\nand \u001b[2Jmore\u0007',
        fix: 'remove ***',
        key: null,
        duration_ms: expect.any(Number),
      },
    ],
  });
});

test('progress tells what is done and what is still open', async () => {
  const steps: [number, readonly string[]][] = [];
  const onProgress = (done: number, open: readonly string[]): void => {
    steps.push([done, open]);
  };
  await runChecks([check('a', async () => ok('')), check('b', async () => ok(''))], {
    ...options,
    onProgress,
  });
  expect(steps).toEqual([
    [0, ['A', 'B']],
    [1, ['B']],
    [2, []],
  ]);
});
