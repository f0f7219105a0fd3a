import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { bundledProgram } from './bundled-program.ts';
import type { TroubleReport } from './disk-trouble.ts';
import { journalFixture } from './fixture.ts';

/** A namespace in which even an ordinary user may mount a filesystem of a few megabytes. */
const NAMESPACE = ['--user', '--map-root-user', '--mount', 'bash', '-c'];
const MOUNT = 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"';

function inSmallFilesystem(mountPoint: string, command: readonly string[]) {
  return spawnSync('unshare', [...NAMESPACE, MOUNT, mountPoint, ...command], { encoding: 'utf8' });
}

const possible = process.platform === 'linux' && inSmallFilesystem('/mnt', ['true']).status === 0;
const fixture = journalFixture();

describe.skipIf(!possible)('a disk that fails (needs Linux with user namespaces)', () => {
  const program = bundledProgram('disk-trouble.ts');

  function meet(trouble: 'full' | 'read-only' | 'look'): unknown {
    const run = inSmallFilesystem(fixture.folder, [process.execPath, program.path, trouble, fixture.folder]);
    expect(run.stderr).toBe('');
    return JSON.parse(run.stdout);
  }

  it.each([
    ['full', /disk is full|no space/i],
    ['read-only', /read-only/i],
  ] as const)(
    '%s: the worker goes on in memory, says so, and catches up when it is mended',
    (trouble, words) => {
      const report = meet(trouble) as TroubleReport;
      expect(report.during.ok).toBe(false);
      expect(report.during.problem).toMatch(words);
      expect(report.during.problem).toContain('goes on');
      expect(report.remembered).toBe(50);
      expect(report.after).toMatchObject({ ok: true, problem: null });
      expect(report.recordsOnDisk).toBe(50);
      expect(report.runsOnDisk).toBe(50);
      expect(report.timeline).toBe(50);
    },
  );

  it('read-only: a journal can still be looked at', () => {
    expect(meet('look')).toEqual({ runs: 50, timeline: 50 });
  });
});
