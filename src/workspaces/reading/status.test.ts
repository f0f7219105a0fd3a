import { expect, test } from 'vitest';
import { parseStatus } from './status.ts';

const ID = 'a'.repeat(40);

test('the commit, and each path that differs, whatever is in its name', () => {
  const output = [
    `# branch.oid ${ID}`,
    '# branch.head main',
    `1 .M N... 100644 100644 100644 ${ID} ${ID} a file with  spaces`,
    `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} both sides`,
    '? # branch.oid',
    '? 1 new',
    '',
  ].join('\0');
  expect(parseStatus(output)).toEqual({
    head: ID,
    uncommitted: new Set(['a file with  spaces', 'both sides', '# branch.oid', '1 new']),
  });
});

test('a branch without a commit has no head', () => {
  expect(parseStatus('# branch.oid (initial)\0# branch.head main\0')).toEqual({
    head: null,
    uncommitted: new Set(),
  });
});
