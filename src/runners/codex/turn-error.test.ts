import { expect, test } from 'vitest';
import { isContextOverflow, resultOfError } from './turn-error.ts';

const error = (codexErrorInfo: string | Record<string, unknown> | null, message = 'broken') => ({
  message,
  codexErrorInfo,
  additionalDetails: null,
});

test.each([
  ['usageLimitExceeded', 'quota'],
  ['rateLimitExceeded', 'quota'],
  [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, 'quota'],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, 'agent_unauthorized'],
  ['unauthorized', 'agent_unauthorized'],
  ['serverOverloaded', 'agent_overloaded'],
  [{ responseStreamDisconnected: { httpStatusCode: 503 } }, 'agent_overloaded'],
  ['contextWindowExceeded', 'context_overflow'],
  ['internalServerError', 'turn_failed'],
  ['sandboxError', 'turn_failed'],
  [{ somethingNew: {} }, 'turn_failed'],
  [{ somethingNew: null }, 'turn_failed'],
  [{}, 'turn_failed'],
  [null, 'turn_failed'],
])('R-10.3-b %j is %s', (info, expected) => {
  const result = resultOfError(error(info));
  expect(result.kind === 'failed' ? result.code : result.kind).toBe(expected);
});

test('the message says what the server said, bounded', () => {
  expect(resultOfError(error('badRequest', 'no such model'))).toMatchObject({
    message: 'no such model (badRequest)',
  });
  expect(resultOfError(null)).toMatchObject({ message: expect.stringMatching(/without a reason/) });
  const result = resultOfError(error(null, 'x'.repeat(10_000)));
  expect('message' in result ? result.message.length : 0).toBe(500);
});

test('only a full context makes the conversation useless', () => {
  expect(isContextOverflow(error('contextWindowExceeded'))).toBe(true);
  expect(isContextOverflow(error('usageLimitExceeded'))).toBe(false);
  expect(isContextOverflow(undefined)).toBe(false);
});
