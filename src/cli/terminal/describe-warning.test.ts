import { expect, test } from 'vitest';
import { describeWarning } from './describe-warning.ts';

test.each([
  ['nothing is known of it', undefined, 'nothing is known of it'],
  [
    'Issue file is not valid',
    { issue_identifier: 'bad', problem: 'no title' },
    'bad: Issue file is not valid: no title',
  ],
  [
    'the answer was cut',
    { error: new Error('too long'), pages: 3 },
    'the answer was cut: too long (pages=3)',
  ],
])('%s', (message, fields, text) => {
  expect(describeWarning(message, fields)).toBe(text);
});
