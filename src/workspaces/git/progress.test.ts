import { expect, test } from 'vitest';
import { progressReporter } from './progress.ts';

test('progress lines become short texts, at most one per 5 %', () => {
  const seen: string[] = [];
  const report = progressReporter('cloning', (detail) => seen.push(detail));
  for (const line of [
    'remote: Counting objects: 100% (9/9), done.',
    'Receiving objects:   1% (1/100)',
    'Receiving objects:   4% (4/100)',
    'Receiving objects:  41% (41/100), 3.00 MiB | 1.00 MiB/s',
    'Receiving objects:  44% (44/100), 3.00 MiB | 1.00 MiB/s',
    'Receiving objects: 100% (100/100), done.',
    'fatal: nonsense 50%',
    '',
  ]) {
    report(line);
  }
  expect(seen).toEqual([
    'cloning: counting objects 100%',
    'cloning: receiving objects 0%',
    'cloning: receiving objects 40%',
    'cloning: receiving objects 100%',
  ]);
});
