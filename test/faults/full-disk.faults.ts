import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** A mount only this test sees; needs the right to mount. */
const canMount =
  spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' }).status === 0;

test.skipIf(!canMount)('a full disk is named, loses nothing, and all goes on once there is space', () => {
  const disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
  const script = fileURLToPath(new URL('full-disk.mjs', import.meta.url));
  const identity = { NAME: 'Tester', EMAIL: 'tester@example.com' };
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
  const command = `mount -t tmpfs -o size=12m none "$1" && exec "$2" "$3" "$1"`;
  try {
    const output = execFileSync(
      'unshare',
      ['--mount', 'sh', '-c', command, 'sh', disk, process.execPath, script],
      { env, encoding: 'utf8' },
    );
    expect(output).toContain('the full disk lost nothing');
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
});
