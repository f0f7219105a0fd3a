import { describe, expect, it } from 'vitest';
import type { TurnResult } from '../runner.ts';
import { oneTurnAtATime } from './one-turn-at-a-time.ts';

const never = new AbortController().signal;

describe('oneTurnAtATime', () => {
  it('refuses a second turn while one runs, and takes it when that has ended or failed', async () => {
    const ends: ((result: TurnResult | Error) => void)[] = [];
    const runTurn = oneTurnAtATime(
      () => false,
      () =>
        new Promise((resolve, reject) => {
          ends.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
        }),
    );
    const first = runTurn('a', never);
    await expect(runTurn('b', never)).rejects.toThrow('already running');
    ends[0]?.(new Error('a bug'));
    await expect(first).rejects.toThrow('a bug');
    const second = runTurn('c', never);
    ends[1]?.({ kind: 'completed' });
    expect(await second).toEqual({ kind: 'completed' });
    expect(ends).toHaveLength(2);
  });

  it('drives nothing once the session stops or the caller has given up', async () => {
    let stopping = false;
    const driven: string[] = [];
    const runTurn = oneTurnAtATime(
      () => stopping,
      async (prompt) => {
        driven.push(prompt);
        return { kind: 'completed' };
      },
    );
    expect(await runTurn('a', AbortSignal.abort())).toEqual({ kind: 'interrupted' });
    expect(await runTurn('b', never)).toEqual({ kind: 'completed' });
    stopping = true;
    expect(await runTurn('c', never)).toEqual({ kind: 'interrupted' });
    expect(driven).toEqual(['b']);
  });
});
