import { describe, expect, it } from 'vitest';
import { readYaml } from './written-yaml.ts';

describe('readYaml', () => {
  it('gives values, lines of the file and spellings', () => {
    const yaml = readYaml('a:\n  b: 1.10\n  c: [x, 2]\nd: yes', 2);
    expect(yaml.value).toEqual({ a: { b: 1.1, c: ['x', 2] }, d: 'yes' });
    expect(Object.fromEntries(yaml.lines)).toEqual({
      a: 2,
      'a.b': 3,
      'a.c': 4,
      'a.c[0]': 4,
      'a.c[1]': 4,
      d: 5,
    });
    expect(yaml.spellings.get('a.b')).toBe('1.10');
    expect(yaml.faults).toEqual([]);
  });

  it('leaves out keys without a value', () => {
    expect(readYaml('a:\nb: null\nc: ~\nd: ""', 1).value).toEqual({ d: '' });
  });

  it('reports duplicate keys at any depth with both lines, and keeps the first', () => {
    const yaml = readYaml('a:\n  x: 1\n  x: 2\nb: 1\nb: 2', 10);
    expect(yaml.value).toEqual({ a: { x: 1 }, b: 1 });
    expect(yaml.faults.map(({ line, key, message }) => ({ line, key, message }))).toEqual([
      { line: 12, key: 'a.x', message: 'a.x is written twice, on lines 11 and 12' },
      { line: 14, key: 'b', message: 'b is written twice, on lines 13 and 14' },
    ]);
  });

  it('expands anchors, aliases and merge keys', () => {
    const yaml = readYaml(
      'base: &b {x: 1, y: 2}\none: *b\ntwo: {<<: *b, y: 3}\nlist: [&s v, *s]\nk: {<<: [*b, {z: 4}]}',
      1,
    );
    expect(yaml.faults).toEqual([]);
    expect(yaml.value).toEqual({
      base: { x: 1, y: 2 },
      one: { x: 1, y: 2 },
      two: { x: 1, y: 3 },
      list: ['v', 'v'],
      k: { x: 1, y: 2, z: 4 },
    });
  });

  it.each([
    ['an alias without an anchor', 'a: *nope', /not defined/],
    ['a circle', 'a: &a\n  b: *a', /contains itself/],
    ['a merge of a scalar', 'a: {<<: 1}', /not a map/],
    ['a map as key', '{a: 1}: b', /not text/],
  ])('reports %s', (_, text, message) => {
    const yaml = readYaml(text, 1);
    expect(yaml.readable).toBe(true);
    expect(yaml.faults[0]?.message).toMatch(message);
    expect(yaml.faults[0]?.hint).not.toBe('');
  });

  it('stops aliases that multiply', () => {
    const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`);
    const yaml = readYaml(['l0: &l0 x', ...levels].join('\n'), 1);
    expect(yaml.faults.some(({ message }) => /too large/.test(message))).toBe(true);
  });

  it('says what is wrong with text that is not YAML, without quoting it', () => {
    const yaml = readYaml('tracker:\n  kind: linear\n  api_key: "sk-dummy-secret', 2);
    expect(yaml.readable).toBe(false);
    expect(yaml.faults[0]).toMatchObject({ line: 4 });
    expect(JSON.stringify(yaml.faults)).not.toContain('sk-dummy-secret');
  });

  it.each([
    '\tb: 1',
    'a: b: c',
    'a: [1, 2',
    'a: }',
    'a:\n    b: 1\n  c: 2',
    'a: %x',
    'a: @x',
    'a: "\\q"',
    'a: 1\n...\nb: 2',
  ])('reports %j at a line, with a hint', (text) => {
    const yaml = readYaml(text, 1);
    expect(yaml.faults.length).toBeGreaterThan(0);
    for (const fault of yaml.faults) {
      expect(fault.line).toBeGreaterThan(0);
      expect(fault.hint).toMatch(/\.$/);
    }
  });

  it('keeps a key named __proto__ as a key', () => {
    const yaml = readYaml('__proto__: {polluted: 1}\nconstructor: 2', 1);
    expect(Object.keys(yaml.value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});
