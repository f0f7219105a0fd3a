import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RescueManifest } from './manifest.ts';
import { planRetention, type Retention, type SizedRescue } from './retention.ts';

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
    mirror: null,
    overLimit: false,
    fingerprint: id,
    bytes,
  };
  return { manifest, bytes };
}

const ids = (rescues: readonly SizedRescue[]): string[] => rescues.map(({ manifest }) => manifest.id);

const NO_LAST_COPY = async (): Promise<boolean> => false;

async function pruned(rescues: readonly SizedRescue[], retention: Retention, now: number): Promise<string[]> {
  return ids((await planRetention(rescues, retention, now, NO_LAST_COPY)).pruned);
}

describe('retention', () => {
  const three = [rescue('a', 0, 10), rescue('b', 100, 10), rescue('c', 200, 10)];

  test('drops what is too old', async () => {
    expect(await pruned(three, { maxAgeMs: 150, maxBytes: 1_000 }, 250)).toEqual(['a']);
  });

  test('drops the oldest until the rest fits', async () => {
    expect(await pruned(three, { maxAgeMs: 1_000, maxBytes: 20 }, 250)).toEqual(['a']);
    expect(await pruned(three, { maxAgeMs: 1_000, maxBytes: 19 }, 250)).toEqual(['a', 'b']);
  });

  test('keeps last copies beyond both limits, says so, and drops others in their place', async () => {
    const isFirst = async ({ manifest }: SizedRescue): Promise<boolean> => manifest.id === 'a';
    const bySize = await planRetention(three, { maxAgeMs: 1_000, maxBytes: 20 }, 250, isFirst);
    expect([ids(bySize.pruned), ids(bySize.kept)]).toEqual([['b'], ['a']]);
    const byAge = await planRetention(three, { maxAgeMs: 10, maxBytes: 1_000 }, 250, isFirst);
    expect([ids(byAge.pruned), ids(byAge.kept)]).toEqual([['b', 'c'], ['a']]);
  });

  test('asks only about what is beyond a limit, and names what is newer', async () => {
    const asked: string[][] = [];
    const plan = await planRetention(
      three,
      { maxAgeMs: 1_000, maxBytes: 20 },
      250,
      async ({ manifest }, newer) => {
        asked.push([manifest.id, ...ids(newer)]);
        return false;
      },
    );
    expect(asked).toEqual([['a', 'b', 'c']]);
    expect(plan.kept).toEqual([]);
  });

  test('never drops the newest for its size, nor anything that fits', async () => {
    const sizes = fc.array(fc.nat(100), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(500), async (bytes, maxBytes) => {
        const rescues = bytes.map((size, index) => rescue(String(index), index, size));
        const plan = await planRetention(rescues, { maxAgeMs: 1_000, maxBytes }, 100, NO_LAST_COPY);
        const kept = rescues.filter((candidate) => !plan.pruned.includes(candidate));
        expect(kept.at(-1)).toBe(rescues.at(-1));
        const total = kept.reduce((sum, { bytes: size }) => sum + size, 0);
        expect(total <= maxBytes || kept.length === 1).toBe(true);
        const last = plan.pruned.at(-1);
        if (last !== undefined) expect(total + last.bytes).toBeGreaterThan(maxBytes);
      }),
    );
  });
});
