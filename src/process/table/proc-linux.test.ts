import { expect, test } from 'vitest';
import { parseStat } from './proc-linux.ts';

const tail = '1 77 77 0 -1 4194304 101 0 0 0 0 0 0 0 20 0 1 0 121151 3133440 388';

test('a stat line gives pid, parent, group, state and start', () => {
  expect(parseStat(`42 (cat) S ${tail}`, 'boot')).toEqual({
    pid: 42,
    parentPid: 1,
    groupId: 77,
    zombie: false,
    startTime: 'boot:121151',
    startOrder: 121_151,
  });
});

test('a process cannot forge its fields through its name', () => {
  const row = parseStat(`42 (a) Z 9 (b) R ${tail}`, 'boot');
  expect(row).toMatchObject({ pid: 42, parentPid: 1, zombie: false });
});

test('an ended process is a zombie; text of another form is nothing', () => {
  expect(parseStat(`42 (cat) Z ${tail}`, 'boot')).toMatchObject({ zombie: true });
  expect(parseStat('', 'boot')).toBeNull();
  expect(parseStat('42 (cat)', 'boot')).toBeNull();
});
