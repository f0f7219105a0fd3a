import { expect, test } from 'vitest';
import { approvalCode, approvalQuestion, approvedCodes } from './approval-code.ts';

test('the question names the code that its answer is read for', () => {
  const code = approvalCode(['command', 'rm -rf build']);
  expect([...approvedCodes(approvalQuestion('May I?', code))]).toEqual([code]);
  expect([...approvedCodes(`Yes: APPROVE \`${code.toUpperCase()}\`, and approve 00000000.`)]).toEqual([
    code,
    '00000000',
  ]);
});

test('an answer without a code approves nothing', () => {
  for (const answer of [
    null,
    '',
    'approve',
    'approve it',
    'approve 1234567',
    'approve 123456789',
    'disapprove 12345678x',
  ])
    expect([...approvedCodes(answer)]).toEqual([]);
});

test('another subject has another code, and a long one is cut before the instruction', () => {
  expect(approvalCode(['rm', 'a'])).not.toBe(approvalCode(['rm', 'b']));
  expect(approvalCode(['rm', 'a'])).toMatch(/^[0-9a-f]{8}$/);
  const question = approvalQuestion('x'.repeat(100_000), '12345678');
  expect(question.length).toBeLessThan(2000);
  expect(question).toContain('approve 12345678');
});
