import { expect, test } from 'vitest';
import { cgroupPathIn, findCgroupMount, folderOfCgroup } from './own-cgroup.ts';

const V1 = '40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd';

test.each([
  ['30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate', '/sys/fs/cgroup', '/'],
  ['41 31 0:38 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw', '/sys/fs/cgroup/unified', '/'],
  ['41 31 0:38 /user.slice /mnt/a\\040b rw - cgroup2 none rw', '/mnt/a b', '/user.slice'],
])('the mount of version 2 is found: %s', (line, folder, root) => {
  expect(findCgroupMount(`${V1}\n${line}\n`)).toEqual({ folder, root });
});

test('a system with version 1 alone, or none, has no such mount', () => {
  expect([findCgroupMount(`${V1}\n`), findCgroupMount('')]).toEqual([null, null]);
});

test('of the lines of a process only that of version 2 counts', () => {
  expect(cgroupPathIn('4:memory:/a\n0::/user.slice/x.scope\n')).toBe('/user.slice/x.scope');
  expect([cgroupPathIn('4:memory:/a\n'), cgroupPathIn('')]).toEqual([null, null]);
});

test('a path becomes a folder below the mount, and nothing outside of it', () => {
  const mount = { folder: '/sys/fs/cgroup', root: '/' };
  expect(folderOfCgroup(mount, '/user.slice/x.scope')).toBe('/sys/fs/cgroup/user.slice/x.scope');
  expect(folderOfCgroup(mount, '/')).toBe('/sys/fs/cgroup');
  expect(folderOfCgroup({ ...mount, root: '/user.slice' }, '/user.slice/x')).toBe('/sys/fs/cgroup/x');
  expect(folderOfCgroup({ ...mount, root: '/user.slice' }, '/system.slice/x')).toBeNull();
  // As a process outside of this namespace is shown.
  expect(folderOfCgroup(mount, '/../system.slice')).toBeNull();
});
