import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RescueManifest } from './manifest.ts';
import { choosePruned, type SizedRescue } from './retention.ts';

function rescue(id: string, createdAt: number, bytes: number): SizedRescue {
  const manifest: RescueManifest = {
    version: 1,
    id,
    createdAt: new Date(createdAt).toISOString(),
    reason: 'removed',
    workspace: '/w',
    key: 'K',
    issueId: '1',
    identifier: 'K',
    trackerKind: 'local',
    trackerScope: 's',
    parts: [],
    directory: null,
    fingerprint: id,
    bytes,
  };
  return { manifest, bytes };
}

const ids = (rescues: readonly SizedRescue[]): string[] => rescues.map(({ manifest }) => manifest.id);

describe('retention', () => {
  const three = [rescue('a', 0, 10), rescue('b', 100, 10), rescue('c', 200, 10)];

  test('drops what is too old', () => {
    expect(ids(choosePruned(three, { maxAgeMs: 150, maxBytes: 1_000 }, 250))).toEqual(['a']);
  });

  test('drops the oldest until the rest fits', () => {
    expect(ids(choosePruned(three, { maxAgeMs: 1_000, maxBytes: 20 }, 250))).toEqual(['a']);
    expect(ids(choosePruned(three, { maxAgeMs: 1_000, maxBytes: 19 }, 250))).toEqual(['a', 'b']);
  });

  test('never drops the newest for its size, nor anything that fits', () => {
    const sizes = fc.array(fc.nat(100), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.nat(500), (bytes, maxBytes) => {
        const rescues = bytes.map((size, index) => rescue(String(index), index, size));
        const pruned = choosePruned(rescues, { maxAgeMs: 1_000, maxBytes }, 100);
        const kept = rescues.filter((candidate) => !pruned.includes(candidate));
        expect(kept.at(-1)).toBe(rescues.at(-1));
        const total = kept.reduce((sum, { bytes: size }) => sum + size, 0);
        expect(total <= maxBytes || kept.length === 1).toBe(true);
        const last = pruned.at(-1);
        if (last !== undefined) expect(total + last.bytes).toBeGreaterThan(maxBytes);
      }),
    );
  });
});
