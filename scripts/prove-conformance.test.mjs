import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BREAKAGES } from '../test/conformance/proof/breakages.mjs';
import { root } from './lib/program.mjs';

it('knows the code that it breaks: each quote occurs once in its file', () => {
  const stale = BREAKAGES.filter(
    ({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2,
  );
  expect(BREAKAGES.length).toBeGreaterThan(50);
  expect(stale.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
});
