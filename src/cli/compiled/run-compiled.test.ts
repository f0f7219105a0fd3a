import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCompiled } from './run-compiled.ts';

const run = (path: string) => runCompiled(path, async (name) => ({ imported: name }));

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiops-compiled-'));
  file = join(folder, 'program.cjs');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function savedFile(): string {
  const [name = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.bin'));
  return join(folder, name);
}

it('gives a CommonJS file what it expects of Node, its own place included', () => {
  writeFileSync(join(folder, 'other.cjs'), 'exports.two = 2;');
  writeFileSync(
    file,
    "exports.sum = 1 + require('./other.cjs').two; exports.place = [__filename, __dirname]; exports.self = module.exports === exports;",
  );
  expect(run(file)).toMatchObject({
    exports: { sum: 3, place: [file, folder], self: true },
    wasSaved: false,
  });
});

it('imports through what it was given, and tells where something went wrong', async () => {
  writeFileSync(
    file,
    "exports.load = () => importModule('./module.mjs'); exports.fail = () => { throw new Error('no'); };",
  );
  const { load, fail } = run(file).exports as { load(): Promise<unknown>; fail(): void };
  expect(await load()).toEqual({ imported: './module.mjs' });
  expect(fail).toThrow(expect.objectContaining({ stack: expect.stringContaining(`${file}:1:81`) }));
});

it('takes what an earlier run has saved', () => {
  writeFileSync(file, 'exports.add = (a, b) => a + b;');
  const first = run(file);
  (first.exports as { add(a: number, b: number): number }).add(1, 2);
  first.save();
  const second = run(file);
  expect(second.wasSaved).toBe(true);
  expect((second.exports as { add(a: number, b: number): number }).add(2, 3)).toBe(5);
});

it.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['emptied', () => Buffer.alloc(0)],
  [
    'changed in one bit',
    (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 400 ? byte ^ 1 : byte))),
  ],
])('does without what was saved when it was %s', (_what, spoil) => {
  writeFileSync(file, 'exports.answer = () => 42;');
  run(file).save();
  writeFileSync(savedFile(), spoil(readFileSync(savedFile())));
  const again = run(file);
  expect(again.wasSaved).toBe(false);
  expect((again.exports as { answer(): number }).answer()).toBe(42);
});
