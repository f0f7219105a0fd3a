import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { packageFile } from '../../../src/process/package-file.ts';

const LIMIT = 250 * 1024;
const folder = packageFile('dist/dashboard');

/** Bytes over the wire of files that a server compresses. */
const weigh = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}/assets/${name}`)).length, 0);

it('loads at most 250 KB at first, and at most as much again for the page of a run', () => {
  const page = readFileSync(`${folder}/index.html`, 'utf8');
  const scripts = readdirSync(`${folder}/assets`).filter((name) => /\.(?:js|css)$/.test(name));
  const first = scripts.filter((name) => page.includes(`/assets/${name}`));
  const later = scripts.filter((name) => !first.includes(name));
  expect(first.length).toBeGreaterThanOrEqual(2);
  expect(later.length).toBeGreaterThanOrEqual(2);
  expect(weigh(first)).toBeLessThan(LIMIT);
  expect(weigh(later)).toBeLessThan(LIMIT);
});
