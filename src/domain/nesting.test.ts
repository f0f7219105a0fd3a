import { describe, expect, it } from 'vitest';
import { redactTexts } from '../observability/redact-texts.ts';
import { isJsonTooDeep, isYamlTooDeep, MAX_NESTING, parseForeignJson } from './nesting.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('JSON from outside', () => {
  it.each([5_000, 100_000, 1_000_000])('is refused when it is nested %i deep, without recursion', (depth) => {
    expect(() => parseForeignJson(nested(depth))).toThrow('nested more than 128 levels deep');
    expect(() => parseForeignJson(`{"a":${'{"b":'.repeat(depth)}1`)).toThrow('nested more than');
  });

  it('is read up to the limit, whatever its texts look like', () => {
    expect(() => parseForeignJson(nested(MAX_NESTING))).not.toThrow();
    const brackets = JSON.stringify({ text: `${'['.repeat(10_000)}"\\"${'{'.repeat(10_000)}` });
    expect(isJsonTooDeep(brackets)).toBe(false);
    expect(parseForeignJson(brackets)).toEqual(JSON.parse(brackets));
    expect(isJsonTooDeep(`"${'\\'.repeat(9_999)}"${'['.repeat(200)}`)).toBe(false);
    expect(isJsonTooDeep(`"${'\\'.repeat(10_000)}"${'['.repeat(200)}`)).toBe(true);
  });

  it('is judged in linear time: a search that is not would not end within this test', () => {
    expect(isJsonTooDeep(`"${'\\\\"'.repeat(1_000_000)}`)).toBe(false);
    expect(isJsonTooDeep('"a"'.repeat(1_000_000))).toBe(false);
  });
});

describe('redaction', () => {
  it('cuts data that is nested deeper than anything from outside may be', () => {
    const deep: unknown = JSON.parse(nested(50_000));
    const cleaned = redactTexts({ deep, text: 'secret' }, () => 'x');
    expect(cleaned.text).toBe('x');
    expect(JSON.stringify(cleaned)).toContain('[too deep]');
  });
});

describe('YAML from outside', () => {
  it.each([
    ['flow lists', '['.repeat(16_384)],
    ['flow maps', '{'.repeat(16_384)],
    ['lists in one line', '- '.repeat(8_000)],
    ['keys in one line', '? '.repeat(8_000)],
    ['indentation', Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['brackets over many lines', '[\n'.repeat(5_000)],
  ])('is refused when %s are nested too deeply', (_name, text) => {
    expect(isYamlTooDeep(text)).toBe(true);
  });

  it('is fine when it is only long', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `key${index}: [a, b] # - x`).join('\n');
    expect(isYamlTooDeep(`${lines}\ntitle: ${'word '.repeat(10_000)}`)).toBe(false);
  });
});
