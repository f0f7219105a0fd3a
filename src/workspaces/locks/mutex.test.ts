import { expect, test } from 'vitest';
import { createKeyedMutex } from './mutex.ts';

test('holders of one name come one after the other, in order, also after a failure', async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const job = (name: string, fails: boolean) => async (): Promise<void> => {
    log.push(`${name} in`);
    await Promise.resolve();
    log.push(`${name} out`);
    if (fails) throw new Error(name);
  };
  const results = await Promise.allSettled([
    mutex.run('x', job('a', true)),
    mutex.run('x', job('b', false)),
    mutex.run('x', job('c', false)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('different names do not wait for each other', async () => {
  const mutex = createKeyedMutex();
  let release = (): void => {};
  const held = mutex.run(
    'x',
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  expect(await mutex.run('y', async () => 'free')).toBe('free');
  release();
  await held;
});
