import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile } from './rotating-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotating-'));
  path = join(folder, 'logs', 'worker.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(maxBytes: number, files: number): RotatingFile {
  return new RotatingFile({ path, maxBytes, files });
}

const read = (name: string): string => readFileSync(join(folder, 'logs', name), 'utf8');

describe('RotatingFile', () => {
  it('keeps so many files of at most that size, and splits no line', () => {
    const file = open(30, 3);
    for (let number = 10; number < 40; number += 1) file.write(`line ${number} ${'x'.repeat(5)}\n`);
    file.close();
    expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
      'worker.log',
      'worker.log.1',
      'worker.log.2',
    ]);
    expect([read('worker.log.2'), read('worker.log.1'), read('worker.log')].join('')).toBe(
      [34, 35, 36, 37, 38, 39].map((number) => `line ${number} xxxxx\n`).join(''),
    );
  });

  it('goes on with the file of an earlier worker, counts what is in it, and is private', () => {
    open(1_000, 2).write('first\n');
    const second = open(1_000, 2);
    second.write('second\n');
    expect(read('worker.log')).toBe('first\nsecond\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    open(8, 2).write('third\n');
    expect([read('worker.log.1'), read('worker.log')]).toEqual(['first\nsecond\n', 'third\n']);
  });

  it('takes a line that is larger than a file, and one file only', () => {
    const file = open(4, 1);
    file.write('a long line\n');
    file.write('another one\n');
    expect(readdirSync(join(folder, 'logs'))).toEqual(['worker.log']);
    expect(read('worker.log')).toBe('another one\n');
  });

  it('begins anew when somebody moves or removes the file, as logrotate does', () => {
    const file = open(1_000, 2);
    file.write('one\n');
    renameSync(path, join(folder, 'logs', 'taken.log'));
    file.write('two\n');
    rmSync(path);
    file.write('three\n');
    expect([read('taken.log'), read('worker.log')]).toEqual(['one\n', 'three\n']);
  });

  it('says at once when it cannot be written', () => {
    writeFileSync(join(folder, 'logs'), 'a file');
    expect(() => open(1_000, 2)).toThrow(/EEXIST|ENOTDIR/);
  });
});
