import { expect, test } from 'vitest';
import { parsePs } from './ps-table.ts';

test('rows of ps give pid, parent, group, state and start', () => {
  const output = [
    '    1     0     1 Ss   Sun Nov 15 08:13:42 2026',
    '  501     1   501 Z+   Sun Nov  8 09:00:00 2026    ',
    '',
    'garbage',
  ].join('\n');
  expect(parsePs(output)).toEqual([
    {
      pid: 1,
      parentPid: 0,
      groupId: 1,
      zombie: false,
      startTime: 'Sun Nov 15 08:13:42 2026',
      startOrder: Date.UTC(2026, 10, 15, 8, 13, 42),
    },
    {
      pid: 501,
      parentPid: 1,
      groupId: 501,
      zombie: true,
      startTime: 'Sun Nov 8 09:00:00 2026',
      startOrder: Date.UTC(2026, 10, 8, 9, 0, 0),
    },
  ]);
});
